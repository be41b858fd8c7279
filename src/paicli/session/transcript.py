"""A session's conversation, read back from its journal, as Markdown or JSON."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, cast

from paicli.core.catalogue.lookup import Texts

_ACTOR = "react"
"""Whose messages are the conversation; plan tasks and the planner have their own."""
_FENCED_CHARACTERS = 2_000
"""Of one tool result in Markdown; JSON has it whole."""
_ROLES = {"user_message": "user", "assistant_message": "assistant", "tool_message": "tool"}


class SaidMessage(NamedTuple):
    """One message, or what a person's own command gave out."""

    role: str
    """user | assistant | tool"""
    content: str
    turn_id: str
    time: float
    """Seconds since the epoch, UTC."""
    thinking: str = ""
    tool_calls: tuple[dict[str, Any], ...] = ()
    call_id: str = ""
    name: str = ""


@dataclass(slots=True)
class Transcript:
    session_id: str = ""
    version: str = ""
    provider: str = ""
    model: str = ""
    project: str = ""
    title: str = ""
    started_at: float = 0.0
    messages: list[SaidMessage] = field(default_factory=list[SaidMessage])
    """Without system prompts, and without what was taken back."""
    _shells: set[str] = field(default_factory=set[str])
    """Turns that are the person's own commands."""

    def take(self, record: dict[str, Any]) -> None:
        """One line of the journal, in order."""
        match record.get("type"):
            case "session_started":
                self.session_id, self.started_at = str(record.get("session_id", "")), float(record.get("time", 0))
                self.version, self.project = str(record.get("version", "")), str(record.get("project", ""))
                self.provider, self.model = str(record.get("provider", "")), str(record.get("model", ""))
            case "model_changed":
                self.provider, self.model = str(record.get("provider", "")), str(record.get("model", ""))
            case "session_forked":
                self.session_id = str(record.get("session_id", ""))
            case "session_renamed":
                self.title = str(record.get("title", ""))
            case "turn_finished" if record.get("text") and record.get("turn_id") in self._shells:
                self._add(record, "tool", str(record["text"]), name="!")
            case "turn_started" if record.get("kind") == "shell":
                self._shells.add(str(record.get("turn_id", "")))
                self._add(record, "user", f"!{record.get('text', '')}")
            case "message_appended" if record.get("actor") == _ACTOR:
                self._take_message(record)
            case "conversation_rewound":
                self._take_back(str(record.get("before_turn", "")))
            case _:
                pass

    def _take_message(self, record: dict[str, Any]) -> None:
        message: Any = record.get("message")
        said = cast(dict[str, Any], message) if isinstance(message, dict) else {}
        role = _ROLES.get(str(said.get("type")), "")
        if not role:
            return
        self._add(
            record,
            role,
            str(said.get("content", "")),
            thinking=str(said.get("thinking", "")),
            tool_calls=tuple(said.get("tool_calls") or ()),
            call_id=str(said.get("call_id", "")),
            name=str(said.get("name", "")),
        )

    def _add(self, record: dict[str, Any], role: str, content: str, **more: Any) -> None:
        turn_id, time = str(record.get("turn_id", "")), float(record.get("time", 0))
        self.messages.append(SaidMessage(role, content, turn_id, time, **more))

    def _take_back(self, turn_id: str) -> None:
        at = next((number for number, said in enumerate(self.messages) if said.turn_id == turn_id), None)
        if at is not None:
            del self.messages[at:]


def read_transcript(journal: Path) -> Transcript:
    """Lines that are no records are left out. Raises OSError."""
    transcript = Transcript()
    with journal.open("rb") as file:
        for raw in file:
            try:
                record: Any = json.loads(raw)
            except (ValueError, RecursionError):
                continue
            if isinstance(record, dict):
                transcript.take(cast(dict[str, Any], record))
    return transcript


def as_json(transcript: Transcript) -> str:
    """One object; `messages` in the shape that model APIs use."""
    record = {
        "session_id": transcript.session_id,
        "title": transcript.title,
        "version": transcript.version,
        "provider": transcript.provider,
        "model": transcript.model,
        "project": transcript.project,
        "started_at": transcript.started_at,
        "messages": [_as_record(said) for said in transcript.messages],
    }
    return json.dumps(record, ensure_ascii=False, indent=2) + "\n"


def as_markdown(transcript: Transcript, texts: Texts) -> str:
    """For reading: results of tools are cut, thinking is left out."""
    return "\n\n".join(_markdown_parts(transcript, texts)) + "\n"


def _as_record(said: SaidMessage) -> dict[str, Any]:
    record: dict[str, Any] = {"role": said.role, "content": said.content, "time": said.time}
    if said.thinking:
        record["reasoning_content"] = said.thinking
    if said.tool_calls:
        record["tool_calls"] = [
            {
                "id": call.get("id"),
                "type": "function",
                "function": {"name": call.get("name"), "arguments": call.get("arguments")},
            }
            for call in said.tool_calls
        ]
    if said.role == "tool":
        record |= {"tool_call_id": said.call_id, "name": said.name}
    return record


def _markdown_parts(transcript: Transcript, texts: Texts) -> Iterator[str]:
    yield f"# {transcript.title or transcript.session_id}"
    yield f"{transcript.provider}/{transcript.model} · {transcript.project}"
    speaker = ""
    for said in transcript.messages:
        now = "user" if said.role == "user" else "assistant"
        if now != speaker:
            speaker = now
            yield f"## {texts.screen(f'export.{now}')}"
        if said.role == "tool":
            yield f"{texts.screen('export.tool', name=said.name)}:\n\n{_fenced(said.content)}"
            continue
        if said.content.strip():
            yield said.content.strip()
        for call in said.tool_calls:
            yield f"- `{call.get('name')}` {_inline(str(call.get('arguments', '')))}"


def _fenced(text: str) -> str:
    """A code block that nothing inside can end."""
    shown = text if len(text) <= _FENCED_CHARACTERS else text[:_FENCED_CHARACTERS] + "\n…"
    longest = max((len(run) for run in re.findall(r"`+", shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{shown.rstrip()}\n{fence}"


def _inline(text: str) -> str:
    shown = " ".join(text.split())
    longest = max((len(run) for run in re.findall(r"`+", shown)), default=0)
    mark = "`" * (longest + 1)
    return f"{mark} {shown} {mark}" if longest else f"`{shown}`"
