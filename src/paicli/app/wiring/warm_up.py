"""Loads what the first tool call needs while the first request is on its way: pydantic's models and the shell parser.

Together they cost about 95 ms, which would otherwise stand between the model's first call and its answer.
"""

import threading
from collections.abc import Callable, Iterable, Sequence

from paicli.core.events import Event, ModelRequestStarted
from paicli.system.commands import load_starting
from paicli.tools.tool import Tool

DELAY_S = 0.15
"""The request itself must be on the wire first: two threads that import and encode hold each other up."""


class WarmUp:
    """A listener: with the session's first model request it starts a daemon timer, once."""

    def __init__(self, loads: Sequence[Callable[[], object]], *, delay_s: float = DELAY_S) -> None:
        """`loads` must be safe to run beside anything, and to be repeated by whoever needs them first."""
        self._loads = loads
        self._delay_s = delay_s
        self._has_begun = False

    def __call__(self, event: Event) -> None:
        if self._has_begun or not isinstance(event.body, ModelRequestStarted):
            return
        self._has_begun = True
        timer = threading.Timer(self._delay_s, self._load)
        timer.name, timer.daemon = "paicli-warm-up", True
        timer.start()

    def _load(self) -> None:
        for load in self._loads:
            load()


def loads_for(tools: Iterable[Tool]) -> list[Callable[[], object]]:
    """What the first call of one of `tools` needs."""
    return [load_starting, _load_shell_parser, *(_models_of(tool) for tool in tools)]


def _load_shell_parser() -> None:
    from paicli.policy.shell.script import parse  # start-up: 40 ms with tree-sitter, for the first command only

    parse("true")


def _models_of(tool: Tool) -> Callable[[], object]:
    return lambda: tool.arguments_model
