"""One small real request to a model, to see whether it works: no retries, 15 s at most, and words for what came."""

import time
from typing import NamedTuple

from paicli.app.config.client_options import client_options
from paicli.app.settings import ModelSettings
from paicli.core.cancellation import CancellationToken
from paicli.core.catalogue.lookup import model_text
from paicli.core.errors import LlmError, LlmTimeout, SettingsError
from paicli.core.faults import Fault, fault_of
from paicli.core.masking import SecretMasker
from paicli.core.messages import ChatRequest, ChatResponse, Delta, TextDelta, ThinkingDelta, UserMessage
from paicli.core.unicode import clipped
from paicli.llm.client import LlmClient
from paicli.llm.factory import build_client
from paicli.llm.providers import ThinkingSwitch, provider_named
from paicli.llm.retry import RetryPolicy

TRIAL_S = 15.0
_SHOWN = 60


class Trial(NamedTuple):
    """What one request brought."""

    seconds: float
    response: ChatResponse | None = None
    pieces: int = 0
    """Deltas of text or thinking that came."""
    fault: Fault | None = None
    """Why there is no response."""

    @property
    def works(self) -> bool:
        return self.fault is None

    @property
    def is_slow(self) -> bool:
        """The model was answering when the time was up."""
        return self.fault is None and self.response is None

    def shown_text(self, masker: SecretMasker) -> str:
        """The reply on one line, masked and short; empty where none came."""
        text = " ".join(masker.mask(self.response.content).split()) if self.response else ""
        return clipped(text, _SHOWN)


def try_model(settings: ModelSettings, cancel: CancellationToken, *, limit_s: float = TRIAL_S) -> Trial:
    """A greeting, streamed. Raises TurnCancelled only."""
    masker = SecretMasker([settings.api_key])
    try:
        client = open_trial_client(settings, limit_s=limit_s)
    except SettingsError as error:
        return Trial(0.0, fault=fault_of(error, masker))
    try:
        request = ChatRequest((UserMessage(model_text("probe.greet")),), thinking=False, actor="probe")
        return ask_once(client, request, cancel=cancel, masker=masker)
    finally:
        client.close()


def open_trial_client(settings: ModelSettings, *, limit_s: float = TRIAL_S) -> LlmClient:
    """The client the session would have, which tries once and waits no longer. Raises SettingsError as that would."""
    return build_client(
        provider_named(settings.provider),
        model=settings.model,
        base_url=settings.base_url,
        api_key=settings.api_key,
        options=client_options(settings)._replace(
            connect_timeout_s=min(settings.connect_timeout_s, limit_s),
            read_timeout_s=limit_s,
            request_timeout_s=limit_s,
            retry=RetryPolicy(max_attempts=1),
        ),
    )


def ask_once(client: LlmClient, request: ChatRequest, *, cancel: CancellationToken, masker: SecretMasker) -> Trial:
    """What came of `request`, failures included. Raises TurnCancelled only.

    A model that refuses to answer without thinking is asked once more, with it.
    """
    trial = _ask(client, request, cancel=cancel, masker=masker)
    can_be_switched = provider_named(client.provider).quirks.thinking_switch is not ThinkingSwitch.NONE
    if trial.fault is None or trial.fault.code != "llm.bad_request" or request.thinking or not can_be_switched:
        return trial
    return _ask(client, request._replace(thinking=True), cancel=cancel, masker=masker)


def _ask(client: LlmClient, request: ChatRequest, *, cancel: CancellationToken, masker: SecretMasker) -> Trial:
    began = time.monotonic()
    pieces = 0

    def count(delta: Delta) -> None:
        nonlocal pieces
        pieces += isinstance(delta, TextDelta | ThinkingDelta)

    try:
        response = client.chat(request, count, cancel)
    except LlmError as error:
        seconds = time.monotonic() - began
        if isinstance(error, LlmTimeout) and pieces:
            return Trial(seconds, pieces=pieces)
        return Trial(seconds, pieces=pieces, fault=fault_of(error, masker))
    return Trial(time.monotonic() - began, response, pieces)


def on_one_line(text: str) -> str:
    """An error's lines as one."""
    return "; ".join(part.strip() for part in text.splitlines() if part.strip())
