"""The results of one step together: however many calls the model makes at once, they leave room for more (C68)."""

from collections.abc import Sequence
from contextlib import suppress

from paicli.context.token_estimate import estimated_tokens
from paicli.core.catalogue.lookup import model_text
from paicli.core.messages import ToolCall, ToolResult
from paicli.tools.results import ResultStore

_SHARE = 0.4
"""Of the window."""
_MOST_CHARACTERS = 400_000
_LIMITS = (16_000, 8_000, 4_000, 2_000, 1_000, 500)
"""Characters that each result may keep: the first with which all have room."""


def bound_step(
    results: Sequence[ToolResult], calls: Sequence[ToolCall], *, window_tokens: int, store: ResultStore | None
) -> Sequence[ToolResult]:
    """The results as they are where they have room; else the long ones shortened, what they were kept in `store`."""
    contents = [result.content for result in results]
    if _has_room(contents, window_tokens):
        return results
    fitting = (limit for limit in _LIMITS if _has_room([text[:limit] for text in contents], window_tokens))
    limit = next(fitting, _LIMITS[-1])

    def shown(result: ToolResult, call: ToolCall) -> ToolResult:
        content = result.content
        return (
            result
            if len(content) <= limit
            else result._replace(content=_shortened(content, call.name, limit=limit, store=store))
        )

    return list(map(shown, results, calls))


def _has_room(contents: Sequence[str], window_tokens: int) -> bool:
    if sum(map(len, contents)) > _MOST_CHARACTERS:
        return False
    return sum(map(estimated_tokens, contents)) <= window_tokens * _SHARE


def _shortened(content: str, name: str, *, limit: int, store: ResultStore | None) -> str:
    rest = model_text("result.step_rest_lost")
    if store is not None:
        with suppress(OSError):  # said as lost
            rest = model_text("result.step_rest", path=store.save(name, content))
    tail = limit // 4
    head = content[: limit - tail]
    return model_text(
        "result.step_shortened", head=head, kept=limit, size=len(content), rest=rest, tail=content[-tail:]
    )
