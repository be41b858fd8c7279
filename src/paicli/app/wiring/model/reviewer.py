"""The model that reviews commands: its own client where the configuration names one, else the session's."""

from collections.abc import Callable

from paicli.agent.reviewing.command_review import CommandReview
from paicli.agent.reviewing.reviewer import CommandReviewer
from paicli.app.settings import SessionKind, Settings
from paicli.app.wiring.model.choice import open_client
from paicli.app.wiring.model.recording import Wrap
from paicli.core.event_stream import EventStream
from paicli.core.masking import SecretMasker
from paicli.llm.asking import ModelAsker
from paicli.llm.client import LlmClient

PROMPT = "modes/command-review.md"


def review_client(settings: Settings, kind: SessionKind, *, session: LlmClient, recorded: Wrap) -> LlmClient:
    """`session`: the client of the session's model, recorded where that is wished."""
    if settings.review_model is None:
        return session
    return recorded(open_client(settings.review_model, kind))


def command_review(
    client: LlmClient,
    stream: EventStream,
    *,
    settings: Settings,
    masker: SecretMasker,
    prompt_text: Callable[[str], str],
) -> CommandReview:
    """`prompt_text`: a prompt file's text by its name."""
    reviewer = CommandReviewer(
        ModelAsker(client, masker=masker), system_prompt=lambda: prompt_text(PROMPT), masker=masker
    )
    return CommandReview(reviewer, stream, root=settings.project_root, masker=masker)
