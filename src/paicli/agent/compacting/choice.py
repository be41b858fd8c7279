"""Which smaller list stands for a conversation: the one that keeps most and has room."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from paicli.context.compaction.cuts import safe_cut, wished_cuts
from paicli.context.compaction.stubs import KEPT_STEPS, shortened_results, with_stubs
from paicli.context.compaction.summary import Kept, fitting, kept_of, summary_message
from paicli.context.token_estimate import message_tokens
from paicli.core.messages import Message

KEPT_TURNS = 3
_RESULT_LIMITS = (None, 4_000, 1_200, 400)
"""Characters a result may keep: the first that has room."""
_SUMMARY_SHARE = 0.15
_SUMMARY_MOST = 2_500
"""Tokens: room that is held free for the summary."""
_WORDS_SHARE = 0.25
_WORDS_MOST = 16_000
"""Characters of the person's words that are put back."""

Weigh = Callable[[Sequence[Message]], int]
"""The tokens of a request with these messages."""


class Smaller(NamedTuple):
    """What may stand in a conversation's place."""

    staying: tuple[Message, ...]
    """Behind the summary; without one all of it."""
    dropped: tuple[Message, ...] = ()
    """To be summed up, as it was."""
    kept: Kept = Kept()

    @property
    def needs_summary(self) -> bool:
        return bool(self.dropped)


def choose_smaller(messages: Sequence[Message], *, target: int, weigh: Weigh) -> Smaller | None:
    """What has room in `target` tokens, else the smallest there is; None where nothing makes it smaller."""
    best: tuple[int, Smaller] | None = None
    for limit in _RESULT_LIMITS:
        for smaller in _candidates(messages, limit, target=target):
            tokens = weighed(smaller, messages, target=target, weigh=weigh)
            if tokens <= target:
                return smaller
            if best is None or tokens < best[0]:
                best = (tokens, smaller)
    return best[1] if best is not None and best[0] < 0.95 * weigh(messages) else None


def choose_summed_up(messages: Sequence[Message], *, target: int, weigh: Weigh) -> Smaller | None:
    """As the person wishes it: summed up although there is room. None where there is too little to sum up."""
    now = weigh(messages)
    stubbed = with_stubs(messages)
    for smaller in _summed_up(messages, stubbed, target=target):
        if weighed(smaller, messages, target=target, weigh=weigh) <= min(target, now):
            return smaller
    return None


def weighed(smaller: Smaller, messages: Sequence[Message], *, target: int, weigh: Weigh) -> int:
    """With room for a summary where there must be one."""
    if not smaller.needs_summary:
        return weigh(smaller.staying)
    head = messages[: safe_cut(messages, 0)]
    return weigh((*head, summary_message("", smaller.kept), *smaller.staying)) + summary_room(target)


def summary_limit(smaller: Smaller, messages: Sequence[Message], *, target: int, weigh: Weigh) -> int:
    """Tokens that a summary may have: what is left of `target`, and no less than what was held free for it."""
    held_free = summary_room(target)
    return max(held_free, target - weighed(smaller, messages, target=target, weigh=weigh) + held_free)


def summary_room(target: int) -> int:
    """Tokens."""
    return min(_SUMMARY_MOST, round(target * _SUMMARY_SHARE))


def _candidates(messages: Sequence[Message], limit: int | None, *, target: int) -> list[Smaller]:
    stubbed = with_stubs(messages)
    if limit is not None:
        stubbed = shortened_results(with_stubs(messages, kept_steps=1), limit)
    return [Smaller(stubbed), *_summed_up(messages, stubbed, target=target)]


def _summed_up(messages: Sequence[Message], stubbed: tuple[Message, ...], *, target: int) -> list[Smaller]:
    first = safe_cut(messages, 0)
    found: list[Smaller] = []
    for cut in wished_cuts(messages, turns_kept=KEPT_TURNS, steps_kept=KEPT_STEPS):
        dropped, staying = tuple(messages[first:cut]), stubbed[cut:]
        kept = fitting(kept_of(dropped, staying=staying), min(_WORDS_MOST, round(target * _WORDS_SHARE)))
        gain = sum(map(message_tokens, dropped)) - message_tokens(summary_message("", kept)) - summary_room(target) // 2
        if gain > 0:
            found.append(Smaller(staying, dropped, kept))
    return found
