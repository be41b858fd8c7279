"""Who is asked when the session's model can't be reached for good, and how the session hears of it."""

from paicli.app.settings import SessionKind, Settings
from paicli.app.wiring.model.choice import open_client
from paicli.core.errors import LlmError
from paicli.core.event_stream import EventStream
from paicli.core.events import ModelChanged, Notice, NoticeLevel, Origin
from paicli.core.faults import Fault
from paicli.llm.client import LlmClient


def with_fallbacks(client: LlmClient, settings: Settings, *, stream: EventStream) -> LlmClient:
    """`client` itself where nothing else was named. The others are built when they are first asked."""
    if not settings.fallback_models:
        return client
    # start-up: 1 ms that only a session with a fallback needs
    from paicli.llm.fallback_client import FallbackClient

    def tell(failed: LlmClient, following: LlmClient, error: LlmError) -> None:
        reason = str(error.fields.get("detail") or error.status or type(error).__name__)
        fields = {"before": _name_of(failed), "after": _name_of(following), "reason": reason}
        stream.publish(Notice(Fault("model.fell_back", tuple(fields.items())), NoticeLevel.WARNING), Origin())
        window = following.capabilities.window_tokens
        stream.publish(ModelChanged(following.provider, following.model, window), Origin())

    others = [open_client(model, SessionKind.INTERACTIVE) for model in settings.fallback_models]
    return FallbackClient((client, *others), on_fallback=tell)


def _name_of(client: LlmClient) -> str:
    return f"{client.provider}/{client.model}"
