"""A client that answers from a recorded conversation: no network, no key. The demo, the evals and `replay:FILE` use it.

Each reply answers the request of its actor at the same position, so parallel tasks may come in any order.
"""

import threading
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from paicli.core import errors
from paicli.core.cancellation import CancellationToken
from paicli.core.errors import LlmError, LlmRejected, ReplayDiverged
from paicli.core.messages import ChatRequest, ChatResponse, ModelCapabilities, TextDelta, ThinkingDelta
from paicli.llm.client import OnDelta
from paicli.llm.recorded.file import RecordedError, RecordedReply, Recording, read_recording
from paicli.llm.recorded.fingerprint import Fingerprint, fingerprint

_PIECES = 8
"""A reply's text is streamed in about this many deltas."""
_CAPABILITIES = ModelCapabilities(window_tokens=128_000, thinking=True, json_mode=True)


class Divergence(NamedTuple):
    """Where a replay first asked something else than the recording did."""

    actor: str
    position: int
    """Of the actor's requests, from 1."""
    recorded: Fingerprint
    now: Fingerprint


class RecordedClient:
    """Answers each actor's requests with the replies recorded for it, in order."""

    provider = "replay"

    def __init__(
        self,
        source: Path | Iterable[RecordedReply],
        *,
        model: str = "",
        capabilities: ModelCapabilities = _CAPABILITIES,
        folders: Iterable[str] = (),
        on_divergence: Callable[[Divergence], None] = lambda divergence: None,
    ) -> None:
        """`source`: a file, or the replies themselves. `folders`: as in `fingerprint`. `on_divergence`: heard once.

        Raises SettingsError with file and line for a broken file.
        """
        read = read_recording(source) if isinstance(source, Path) else Recording("", list(source))
        self.model = model or read.model or "recorded"
        window_tokens = read.window_tokens or capabilities.window_tokens
        self.capabilities = capabilities._replace(window_tokens=window_tokens)
        self._folders = tuple(folders)
        self._on_divergence = on_divergence
        self._has_diverged = False
        self._lock = threading.Lock()
        self._left: defaultdict[str, deque[RecordedReply]] = defaultdict(deque)
        self._given: defaultdict[str, int] = defaultdict(int)
        for reply in read.replies:
            self._left[reply.actor].append(reply)

    def chat(self, request: ChatRequest, on_delta: OnDelta, cancel: CancellationToken) -> ChatResponse:
        """Raises ReplayDiverged when the recording holds no further reply for the request's actor."""
        cancel.raise_if_cancelled()
        with self._lock:
            self._given[request.actor] += 1
            position = self._given[request.actor]
            left = self._left[request.actor]
            if not left:
                raise ReplayDiverged("llm.replay_diverged", actor=request.actor, position=position)
            recorded = left.popleft()
        self._compare(request, recorded, position)
        response = recorded.response
        if isinstance(response, RecordedError):
            raise _raised(response, request.actor, position)
        for piece in _pieces(response.thinking):
            cancel.raise_if_cancelled()
            on_delta(ThinkingDelta(piece))
        for piece in _pieces(response.content):
            cancel.raise_if_cancelled()
            on_delta(TextDelta(piece))
        cancel.raise_if_cancelled()
        return response

    def close(self) -> None:
        """Nothing is open."""

    def _compare(self, request: ChatRequest, recorded: RecordedReply, position: int) -> None:
        if recorded.request is None or self._has_diverged:
            return
        now = fingerprint(request.messages, folders=self._folders)
        if now.digest == recorded.request.digest:
            return
        with self._lock:
            is_first, self._has_diverged = not self._has_diverged, True
        if is_first:
            self._on_divergence(Divergence(request.actor, position, recorded.request, now))


def _raised(error: RecordedError, actor: str, position: int) -> LlmError:
    """The error as it was; a request that the person ended then can't be answered now."""
    kind = getattr(errors, error.kind, LlmRejected)
    if kind is errors.TurnCancelled:
        return ReplayDiverged("llm.replay_cancelled", actor=actor, position=position)
    is_known = isinstance(kind, type) and issubclass(kind, LlmError)
    return (kind if is_known else LlmRejected)(error.code, **error.fields)


def _pieces(text: str) -> Iterator[str]:
    size = max(1, -(-len(text) // _PIECES))
    return (text[start : start + size] for start in range(0, len(text), size))
