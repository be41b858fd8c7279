"""Journal and recording of one session in one file: it replays, and it can be judged.

The recording is made from the journal: each reply and each failure stands there under who asked. A line of the journal
stands as {"journal": {…}} beside the lines of the recording, where a reader of recordings leaves it aside.
"""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple, cast

from paicli.llm.recorded.file import RECORDING_TYPE, RECORDING_VERSION

_APART = frozenset({"review", "summary"})
"""Requests of these purposes are asked under a name of their own."""


class Packed(NamedTuple):
    lines: tuple[str, ...]
    """Without line ends."""
    turns: tuple[dict[str, str], ...]
    """kind, text and mode of each turn, in order: what to say to a replay."""
    replies: int
    """Lines that answer a request."""


def pack(journal: str) -> Packed:
    """`journal`: the text of a session's journal; what is no record there is left out."""
    records = list(_records(journal))
    nothing: dict[str, Any] = {}
    started = next((record for record in records if record.get("type") == "session_started"), nothing)
    turns = tuple(
        {name: str(record.get(name, "")) for name in ("kind", "text", "mode")}
        for record in records
        if record.get("type") == "turn_started"
    )
    replies = list(_replies(records))
    header = {
        "type": RECORDING_TYPE,
        "version": RECORDING_VERSION,
        "model": str(started.get("model", "")),
        "window_tokens": int(started.get("window_tokens") or 0),
        "paicli": str(started.get("version", "")),
        "turns": turns,
    }
    rows = [header, *replies, *({"journal": record} for record in records)]
    return Packed(tuple(json.dumps(row, ensure_ascii=False) for row in rows), turns, len(replies))


def journal_text(text: str) -> str:
    """The journal out of a packed file; a journal itself is given back as it is."""
    if RECORDING_TYPE not in text.partition("\n")[0]:
        return text
    rows = [record["journal"] for record in _records(text) if "journal" in record]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _replies(records: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """One line for each request, in the order of their answers."""
    open_requests: dict[str, str] = {}
    """Journal's actor → who the client was asked by."""
    for record in records:
        actor = str(record.get("actor", "engine"))
        match record.get("type"):
            case "model_request_started":
                purpose = str(record.get("purpose", "step"))
                is_apart = purpose in _APART and not actor.endswith(f"/{purpose}")
                open_requests[actor] = f"{actor}/{purpose}" if is_apart else actor
            case "model_reply_received":
                yield {"actor": open_requests.pop(actor, actor), "reply": _reply(record)}
            case "model_request_failed":
                yield {"actor": open_requests.pop(actor, actor), "error": _error(record)}
            case "turn_finished":
                for asked_by in open_requests.values():
                    yield {
                        "actor": asked_by,
                        "error": {"kind": "TurnCancelled", "code": "turn.cancelled", "fields": {}},
                    }
                open_requests.clear()
            case _:
                pass  # nothing else of a journal is said by a model


def _reply(record: dict[str, Any]) -> dict[str, Any]:
    response: Any = record.get("response")
    known = cast("dict[str, Any]", response) if isinstance(response, dict) else {}
    return {name: value for name, value in known.items() if value not in (None, "", [])}


def _error(record: dict[str, Any]) -> dict[str, Any]:
    found: Any = record.get("fault")
    fault = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    kind = "LlmUnreachable" if fault.get("is_retryable") else "LlmRejected"
    return {"kind": kind, "code": str(fault.get("code", "")), "fields": dict(fault.get("fields") or ())}


def _records(text: str) -> Iterator[dict[str, Any]]:
    for line in text.split("\n"):
        try:
            record: Any = json.loads(line.removeprefix("\ufeff")) if line.strip() else None
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict):
            yield cast("dict[str, Any]", record)
