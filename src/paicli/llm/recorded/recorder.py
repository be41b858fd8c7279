"""A client that writes down what came of each request of the one it stands for."""

from collections.abc import Callable, Iterable

from paicli.core.cancellation import CancellationToken
from paicli.core.errors import LlmError, PaiError, TurnCancelled
from paicli.core.messages import ChatRequest, ChatResponse, ModelCapabilities
from paicli.llm.client import LlmClient, OnDelta
from paicli.llm.recorded.file import RecordedError, RecordedReply, header_line, recorded_line
from paicli.llm.recorded.fingerprint import fingerprint


class Recorder:
    """One file of a session, for all its clients."""

    def __init__(
        self,
        write_line: Callable[[str], None],
        *,
        model: str,
        window_tokens: int = 0,
        mask: Callable[[str], str],
        folders: Iterable[str] = (),
    ) -> None:
        """`write_line` adds a whole line, from any thread; it says itself what goes wrong with the file.

        `window_tokens`: what the model takes; a replay makes room where the recorded session did.
        `folders`: as in `fingerprint`.
        """
        self._write_line = write_line
        self._mask = mask
        self._folders = tuple(folders)
        write_line(mask(header_line(model, window_tokens)))

    def note(self, request: ChatRequest, answer: ChatResponse | RecordedError) -> None:
        seen = fingerprint(request.messages, folders=self._folders)
        self._write_line(self._mask(recorded_line(RecordedReply(request.actor, answer, seen))))


class RecordingClient:
    """`client`, and every reply and every failure of it in `recorder`. Thread-safe as the client is."""

    def __init__(self, client: LlmClient, recorder: Recorder) -> None:
        self._client = client
        self._recorder = recorder

    @property
    def provider(self) -> str:
        return self._client.provider

    @property
    def model(self) -> str:
        return self._client.model

    @property
    def capabilities(self) -> ModelCapabilities:
        return self._client.capabilities

    def chat(self, request: ChatRequest, on_delta: OnDelta, cancel: CancellationToken) -> ChatResponse:
        try:
            response = self._client.chat(request, on_delta, cancel)
        except (LlmError, TurnCancelled) as error:
            self._recorder.note(request, _recorded(error))
            raise
        self._recorder.note(request, response)
        return response

    def close(self) -> None:
        self._client.close()


def _recorded(error: PaiError) -> RecordedError:
    fields = {name: value if isinstance(value, int | float) else str(value) for name, value in error.fields.items()}
    return RecordedError(type(error).__name__, error.code, fields)
