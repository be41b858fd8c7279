"""Whether a command runs without a person in auto and plan mode: plain reading, an earlier allow, or the reviewer."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from paicli.agent.actor import Actor
from paicli.agent.reviewing.reviewer import CommandReviewer, ReviewedCommand, reviewer_of
from paicli.agent.reviewing.turn_reviews import SessionReviews
from paicli.core.catalogue.lookup import model_text
from paicli.core.event_stream import EventStream
from paicli.core.events import CommandReviewed
from paicli.core.masking import SecretMasker
from paicli.core.messages import ToolCall
from paicli.policy.verdict import CommandVerdict


class ReviewOutcome(NamedTuple):
    is_allowed: bool
    by: str
    """As in `CommandReviewed`."""
    reason: str = ""
    """The reviewer's words or a code of the catalogue."""
    is_persons: bool = False
    """Denied, and the person is to decide."""


class CommandReview:
    """One for all actors of a session; the turn they share is told by their origin."""

    def __init__(self, reviewer: CommandReviewer, stream: EventStream, *, root: Path, masker: SecretMasker) -> None:
        """`root`: the folder commands run in. Listens to `stream` for the person's words."""
        self._reviewer = reviewer
        self._stream = stream
        self._reviews = SessionReviews()
        stream.subscribe(self._reviews)
        self._root = root
        self._masker = masker

    def decide(self, call: ToolCall, values: dict[str, Any], *, actor: Actor, doubt: CommandVerdict) -> ReviewOutcome:
        """Says what came of it as CommandReviewed. Raises TurnCancelled.

        `values`: the call's arguments by name; `doubt`: what the guard said, which did not refuse.
        """
        outcome = self._outcome(call, values, actor=actor, doubt=doubt)
        command = self._masker.mask(str(values["command"]))
        actor.emit(CommandReviewed(call.id, command, outcome.is_allowed, outcome.reason, outcome.by))
        return outcome

    def _outcome(self, call: ToolCall, values: dict[str, Any], *, actor: Actor, doubt: CommandVerdict) -> ReviewOutcome:
        command = str(values["command"])
        turn = self._reviews.of_turn(actor.origin.turn_id)
        if not doubt.reason and self._is_plain_reading(command):
            return ReviewOutcome(is_allowed=True, by="plain_reading")
        key = json.dumps([call.name, values], sort_keys=True)
        if turn.has_allowed(key):
            return ReviewOutcome(is_allowed=True, by="cache")
        asker = reviewer_of(actor.name)
        verdict = self._reviewer.review(
            ReviewedCommand(
                command,
                str(self._root),
                turn.words,
                len(call.arguments),
                bool(values.get("background")),
                model_text(doubt.reason, matched=doubt.matched) if doubt.reason else "",
            ),
            asker=asker,
            emit=self._stream.emitter(actor.origin._replace(actor=asker)),
            cancel=actor.cancel,
        )
        if verdict.is_allowed:
            turn.note_allowed(key)
            return ReviewOutcome(is_allowed=True, by="reviewer", reason=verdict.reason)
        return ReviewOutcome(is_allowed=False, by="reviewer", reason=verdict.reason, is_persons=turn.note_denied())

    def _is_plain_reading(self, command: str) -> bool:
        from paicli.policy.plain_reading import is_plain_reading  # start-up: the shell reading is 8 ms of modules

        return is_plain_reading(command, root=self._root)
