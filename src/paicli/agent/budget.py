"""Configured limits of one run of the loop. None is unlimited; a spent budget is no error, it is a reason to finish."""

from collections.abc import Callable
from typing import NamedTuple

from paicli.core.messages import Usage


class Limits(NamedTuple):
    max_steps: int | None = None
    """Model replies."""
    max_tokens: int | None = None
    """Input and output together, as the server counts them."""
    max_cost_usd: float | None = None
    """Of the whole session: every actor's requests, reviews and summaries together."""
    spent_usd: Callable[[], float] = float
    """What the session has cost so far."""


class AgentBudget:
    """Counts what a run spends."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self.steps = 0
        self.usage = Usage()

    def note(self, usage: Usage | None) -> None:
        """One model reply came."""
        self.steps += 1
        if usage is not None:
            self.usage = self.usage.plus(usage)

    def check(self) -> str:
        """Why no further step may be taken: "steps", "tokens", "cost", or "" while there is room."""
        if self._limits.max_steps is not None and self.steps >= self._limits.max_steps:
            return "steps"
        spent = self.usage.input_tokens + self.usage.output_tokens
        if self._limits.max_tokens is not None and spent >= self._limits.max_tokens:
            return "tokens"
        if self._limits.max_cost_usd is not None and self._limits.spent_usd() >= self._limits.max_cost_usd:
            return "cost"
        return ""
