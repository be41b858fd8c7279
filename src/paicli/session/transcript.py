"""A session's conversation, read back from its journal, as Markdown or JSON."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from paicli.core.actors import REACT
from paicli.core.catalogue.lookup import Texts
from paicli.core.event_bodies.person import ConversationRewound
from paicli.core.events import (
    CompactionFinished,
    ConversationCleared,
    Event,
    MessageAppended,
    SessionForked,
    SessionResumed,
    SessionStarted,
    TurnFinished,
    TurnStarted,
)
from paicli.core.messages import AssistantMessage, Message, SystemMessage, ToolCall, ToolMessage, UserMessage
from paicli.core.ops import TurnKind
from paicli.session.stored.reading import read_session
from paicli.session.stored.restored import restored_state

"""Whose messages are the conversation; plan tasks and the planner have their own."""
_FENCED_CHARACTERS = 2_000
"""Of one tool result in Markdown; JSON has it whole."""
_PICTURES = {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\t\n"} | {
    0x7F: 0x2421,
    **dict.fromkeys(range(0x80, 0xA0), 0xFFFD),
}
"""Who looks at the file with `cat` runs no sequence that a paste or a command's output brought."""


class SaidMessage(NamedTuple):
    """One message, or what a person's own command gave out."""

    role: str
    """user | assistant | tool"""
    content: str
    turn_id: str
    time: float
    """Seconds since the epoch, UTC."""
    thinking: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
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
    """Without system prompts and what was taken back or cleared; what a compaction summed up stands in full."""
    _shells: set[str] = field(default_factory=set[str])
    """Turns that are the person's own commands."""
    _retold: int = 0
    """So many messages come that were there before: a compaction appends anew what it keeps."""

    def take(self, event: Event) -> None:
        """One event of the session, in order."""
        turn_id, time = event.origin.turn_id, event.time
        match event.body:
            case SessionStarted(version=version):
                self.version, self.started_at = version, time
            case TurnFinished(text=text) if text and turn_id in self._shells:
                self.messages.append(SaidMessage("tool", text, turn_id, time, name="!"))
            case TurnStarted(TurnKind.SHELL, text):
                self._shells.add(turn_id)
                self.messages.append(SaidMessage("user", f"!{text}", turn_id, time))
            case CompactionFinished(fault=None, message_count=count) if event.origin.actor == REACT:
                self._retold = count
            case SessionResumed() | SessionForked():
                self._retold = 0  # its process was killed over it
            case MessageAppended() if event.origin.actor == REACT and self._retold > 0:
                self._retold -= 1
            case MessageAppended(message) if event.origin.actor == REACT:
                self.messages += _said(message, turn_id, time)
            case ConversationCleared():
                self.messages.clear()
            case ConversationRewound(before_turn):
                self._take_back(before_turn)
            case _:
                pass

    def _take_back(self, turn_id: str) -> None:
        at = next((number for number, said in enumerate(self.messages) if said.turn_id == turn_id), None)
        if at is not None:
            del self.messages[at:]


def _said(message: Message, turn_id: str, time: float) -> Iterable[SaidMessage]:
    match message:
        case UserMessage(content):
            yield SaidMessage("user", content, turn_id, time)
        case AssistantMessage(content, thinking, calls):
            yield SaidMessage("assistant", content, turn_id, time, thinking=thinking, tool_calls=calls)
        case ToolMessage(call_id, name, content):
            yield SaidMessage("tool", content, turn_id, time, call_id=call_id, name=name)
        case SystemMessage():
            pass


def read_transcript(journal: Path) -> Transcript:
    """Of what is whole in the journal. Raises SessionNotFound where it can't be read."""
    stored = read_session(journal)
    state = restored_state(stored.events)
    transcript = Transcript(
        session_id=stored.id, provider=state.provider, model=state.model, project=state.project, title=state.title
    )
    for event in stored.events:
        transcript.take(event)
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
    """For reading: results of tools are cut, thinking is left out, control characters are pictures of themselves."""
    text = "\n\n".join(_markdown_parts(transcript, texts)) + "\n"
    return text.replace("\r\n", "\n").translate(_PICTURES)


def _as_record(said: SaidMessage) -> dict[str, Any]:
    record: dict[str, Any] = {"role": said.role, "content": said.content, "time": said.time}
    if said.thinking:
        record["reasoning_content"] = said.thinking
    if said.tool_calls:
        record["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
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
            yield f"- `{call.name}` {_inline(call.arguments)}"


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
