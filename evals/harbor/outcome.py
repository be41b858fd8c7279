"""What a run in a container came to, read from the log folder that it left: the journals and the last stream record.

Tokens and cost come from the journals, so that a run that was killed at its time limit still has its figures.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from evals.harbor.commands import EXIT_STATUS, HOME, STREAM

Record = dict[str, Any]


class RunOutcome(NamedTuple):
    requests: int
    input_tokens: int
    """Cached ones included."""
    cached_tokens: int
    output_tokens: int
    cost_usd: float | None
    """None as soon as one reply's cost is not known."""
    metadata: Record
    """exit_status, status, error, num_turns, session_id, journals: those that are known."""


def read_outcome(logs: Path) -> RunOutcome:
    """Of an empty or missing folder too: then nothing is known."""
    journals = sorted((logs / HOME).glob("sessions/**/*.jsonl"))
    replies = [record for path in journals for record in _records(path) if record.get("type") == "model_reply_received"]
    usages = [reply["response"].get("usage") or {} for reply in replies]
    costs = [cost for reply in replies if (cost := reply.get("cost_usd")) is not None]
    return RunOutcome(
        len(replies),
        sum(usage.get("input_tokens", 0) for usage in usages),
        sum(usage.get("cached_tokens", 0) for usage in usages),
        sum(usage.get("output_tokens", 0) for usage in usages),
        sum(costs) if costs and len(costs) == len(replies) else None,
        _metadata(logs, journals),
    )


def _metadata(logs: Path, journals: list[Path]) -> Record:
    result: Record = {}
    for record in _records(logs / STREAM):
        result = record if record.get("type") == "result" else result
    known = {name: result.get(name) for name in ("status", "error", "num_turns", "session_id")}
    try:
        known["exit_status"] = int((logs / EXIT_STATUS).read_text().strip())
    except (OSError, ValueError):
        known["exit_status"] = None  # it was ended before it could say one
    known["journals"] = [str(path.relative_to(logs)) for path in journals] or None
    return {name: value for name, value in known.items() if value is not None}


def _records(path: Path) -> Iterator[Record]:
    """Lines that are no record are left out: the last one may be cut."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return
    for line in lines:
        try:
            record = json.loads(line)
        except ValueError:
            continue
        if isinstance(record, dict):
            yield record
