"""Asks a model whether a command may run without a person: one short request, no tools, thinking off."""

import json
import threading
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from paicli.agent.reviewing.verdict import ReviewVerdict, verdict_of
from paicli.core.cancellation import CancellationToken
from paicli.core.errors import LlmError, TurnCancelled, UserFacingError
from paicli.core.event_stream import Emit, without_deltas
from paicli.core.masking import SecretMasker
from paicli.core.messages import ChatRequest, ResponseFormat, SystemMessage, UserMessage
from paicli.core.unicode import well_formed
from paicli.llm.asking import AskedFor, ModelAsker

REVIEW_TIMEOUT_S = 20.0
MAX_ARGUMENT_CHARACTERS = 32_000
"""Arguments of a call that are longer don't pass, and nobody is asked."""
WORDS_CHARACTERS = 8_000
"""Of the person's words, in one request: the beginning and the end."""


class ReviewedCommand(NamedTuple):
    """What the reviewer gets to know; all of it is data to the model."""

    command: str
    folder: str
    """Absolute path it would run in."""
    words: Sequence[str]
    """What the person said in this turn, in order."""
    argument_characters: int
    """Length of the call's arguments as the model wrote them."""
    in_background: bool = False
    guard_note: str = ""
    """What the guard could not tell from the text, and why."""


def reviewer_of(actor: str) -> str:
    """Who asks for the reviews of an actor's commands: one name each, so that a replay of parallel tasks finds them."""
    return f"{actor}/review"


class StartTimer(Protocol):
    def __call__(self, seconds: float, then: Callable[[], None], /) -> Callable[[], None]:
        """Calls `then` once after `seconds`, from any thread; returns a function that calls it off."""
        ...


def start_timer(seconds: float, then: Callable[[], None], /) -> Callable[[], None]:
    """As `StartTimer`, by the clock on the wall."""
    timer = threading.Timer(seconds, then)
    timer.daemon = True
    timer.start()
    return timer.cancel


class CommandReviewer:
    """Callable from several threads at once, as its client is."""

    def __init__(
        self,
        asker: ModelAsker,
        *,
        system_prompt: Callable[[], str],
        masker: SecretMasker,
        start_timer: StartTimer = start_timer,
    ) -> None:
        self._asker = asker
        self._system_prompt = system_prompt
        self._masker = masker
        self._start_timer = start_timer

    def review(self, reviewed: ReviewedCommand, *, asker: str, emit: Emit, cancel: CancellationToken) -> ReviewVerdict:
        """What goes wrong is a no with its code as the reason. Raises TurnCancelled when `cancel` is set first.

        `asker`: the request's actor, by `reviewer_of`.
        """
        if reviewed.argument_characters > MAX_ARGUMENT_CHARACTERS:
            return ReviewVerdict(is_allowed=False, reason="review.why_too_long")
        patience = cancel.child()
        call_off = self._start_timer(REVIEW_TIMEOUT_S, patience.cancel)
        try:
            reply = self._asker.ask(
                self._request(reviewed, asker),
                AskedFor(purpose="review", shows_text=False),
                emit=without_deltas(emit),
                cancel=patience,
            )
        except TurnCancelled:
            cancel.raise_if_cancelled()
            return ReviewVerdict(is_allowed=False, reason="review.why_timeout")
        except (LlmError, UserFacingError):  # a prompt of one's own that can't be read is no leave either
            return ReviewVerdict(is_allowed=False, reason="review.why_failed")
        finally:
            call_off()
        cancel.raise_if_cancelled()
        verdict = verdict_of(reply)
        return verdict._replace(reason=self._masker.mask(verdict.reason))

    def _request(self, reviewed: ReviewedCommand, asker: str) -> ChatRequest:
        fields: dict[str, Any] = {
            "user_words": _bounded(reviewed.words),
            "folder": reviewed.folder,
            "command": reviewed.command,
        }
        if reviewed.in_background:
            fields["background"] = True
        if reviewed.guard_note:
            fields["guard_note"] = reviewed.guard_note
        data = self._masker.mask(_visible(json.dumps(fields, ensure_ascii=False)))
        has_json_mode = self._asker.client.capabilities.json_mode
        return ChatRequest(
            (SystemMessage(self._system_prompt()), UserMessage(data)),
            thinking=False,
            response_format=ResponseFormat.JSON_OBJECT if has_json_mode else ResponseFormat.TEXT,
            actor=asker,
        )


def _bounded(words: Sequence[str]) -> list[str]:
    text = "\n".join(words)
    if len(text) <= WORDS_CHARACTERS:
        return list(words)
    half = WORDS_CHARACTERS // 2
    return [text[:half], "…", text[-half:]]


def _visible(text: str) -> str:
    """JSON text in which nothing hides: what does not print stands as its escape."""
    shown = well_formed(text)
    return "".join(character if character.isprintable() else json.dumps(character)[1:-1] for character in shown)
