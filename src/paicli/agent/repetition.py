"""Notices when a model goes round in circles: a reminder first, then the end of the tools."""

import json
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from paicli.core.messages import ToolCall, ToolOutcome, ToolResult
from paicli.core.strict_json import JsonFault, parse_strict

REMIND_AT = 3
EQUAL_STEPS = 5
CYCLE_LENGTHS = (2, 3)
CYCLE_TIMES = 5


class Repeated(NamedTuple):
    what: str
    """call | error"""
    key: str


class RepetitionGuard:
    """Watches the steps of one run. Denied and cancelled calls don't count, nor does waiting for what goes on."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str]] = Counter()
        self._steps: list[tuple[str, ...]] = []
        self._has_reminded = False
        self.exhausted = ""
        """"repetition" or "cycle" once the tools have to go off, else empty."""

    def note(self, calls: Sequence[ToolCall], results: Sequence[ToolResult]) -> Repeated | None:
        """Looks at one step. Returns what was repeated the first time something was, and only then."""
        counted = [
            (call, result)
            for call, result in zip(calls, results, strict=True)
            if result.outcome not in {ToolOutcome.DENIED, ToolOutcome.CANCELLED}
        ]
        if not counted:
            return None
        has_waited = any(result.is_waiting for _, result in counted)
        counted = [(call, result) for call, result in counted if not result.is_waiting]
        keys = [("call", call_key(call)) for call, _ in counted]
        keys += [("error", result.error_kind) for _, result in counted if result.error_kind]
        in_step = Counter(keys)
        self._counts = Counter({key: self._counts[key] + times for key, times in in_step.items()})
        if has_waited:  # time went by on purpose: what the other calls see may be another thing now
            self._steps.clear()
        else:
            self._steps.append(tuple(sorted(key for what, key in keys if what == "call")))
            del self._steps[: -max(CYCLE_LENGTHS) * CYCLE_TIMES]
        self.exhausted = self._pattern()
        repeated = next((key for key, times in self._counts.items() if times >= REMIND_AT), None)
        if repeated is None or self._has_reminded:
            return None
        self._has_reminded = True
        return Repeated(*repeated)

    def _pattern(self) -> str:
        steps = self._steps
        if len(steps) >= EQUAL_STEPS and len(set(steps[-EQUAL_STEPS:])) == 1:
            return "repetition"
        for length in CYCLE_LENGTHS:
            tail = steps[-length * CYCLE_TIMES :]
            if len(tail) == length * CYCLE_TIMES and tail == tail[:length] * CYCLE_TIMES:
                return "cycle"
        return ""


def call_key(call: ToolCall) -> str:
    """The same for calls that differ only in the order of keys; text that is no JSON counts as it is."""
    try:
        arguments = json.dumps(parse_strict(call.arguments or "{}"), sort_keys=True, ensure_ascii=False)
    except (JsonFault, RecursionError):
        arguments = call.arguments
    return f"{call.name} {arguments}"
