"""How large a request is, corrected by what the server counted of the ones before."""

import threading
from collections.abc import Sequence

from paicli.context.token_estimate import declaration_tokens, message_tokens
from paicli.core.messages import Message, ToolDeclaration

_LEAST, _MOST = 0.5, 4.0
"""A server that counts otherwise counts something else."""


class Calibration:
    """Per model: tokens as its server counts them, for one of ours. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._factors: dict[str, float] = {}

    def factor(self, model: str) -> float:
        with self._lock:
            return self._factors.get(model, 1.0)

    def note(self, model: str, estimated: int, counted: int) -> None:
        """A request of `estimated` tokens of ours was `counted` by the server; 0: it did not say."""
        if estimated > 0 and counted > 0:
            with self._lock:
                self._factors[model] = min(_MOST, max(_LEAST, counted / estimated))


class ConversationGauge:
    """Weighs the requests of one conversation that grows. Only its actor's thread uses it."""

    def __init__(self, calibration: Calibration) -> None:
        self._calibration = calibration
        self._count = self._raw = 0
        """So many messages weigh so much."""
        self._tools: dict[int, tuple[Sequence[ToolDeclaration], int]] = {}
        self._base: tuple[str, int, int] | None = None
        """Of the last request that was answered: model, our count, the server's."""

    def use(self, calibration: Calibration) -> None:
        """From now on corrected by this one."""
        self._calibration = calibration

    def raw(self, messages: Sequence[Message], tools: Sequence[ToolDeclaration] = ()) -> int:
        """Uncorrected. Only messages that came since the last look are counted; see `start_over`."""
        if len(messages) < self._count:
            self.start_over()
        self._raw += sum(map(message_tokens, messages[self._count :]))
        self._count = len(messages)
        return self._raw + self.of_tools(tools)

    def start_over(self) -> None:
        """The conversation did not only grow: what was known of it is no longer so."""
        self._count = self._raw = 0
        self._base = None

    def tokens(self, messages: Sequence[Message], tools: Sequence[ToolDeclaration], model: str) -> int:
        """As the server is likely to count them."""
        raw = self.raw(messages, tools)
        factor = self._calibration.factor(model)
        if self._base is not None and self._base[0] == model and raw >= self._base[1]:
            _, before, counted = self._base
            return counted + round((raw - before) * max(1.0, factor))
        return round(raw * factor)

    def note(self, raw: int, counted: int, model: str) -> None:
        """The request that weighed `raw` was answered; `counted` by the server, 0: it did not say."""
        if counted <= 0:
            self._base = None
            return
        self._calibration.note(model, raw, counted)
        self._base = (model, raw, round(min(raw * _MOST, max(raw * _LEAST, counted))))

    def of_tools(self, tools: Sequence[ToolDeclaration]) -> int:
        """Uncorrected."""
        total = 0
        for tool in tools:
            found = self._tools.get(id(tool))
            if found is None or found[0][0] is not tool:
                found = ((tool,), declaration_tokens(tool))
                self._tools[id(tool)] = found
            total += found[1]
        return total
