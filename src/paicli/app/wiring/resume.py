"""A session goes on where an earlier process was: what of it comes back, and into which parts."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple, cast

from paicli.agent.engine import Engine
from paicli.agent.react import ReActAgent
from paicli.app.wiring.snapshots.session_snapshots import restored_note
from paicli.core.events import EventBody, ModeChanged, ModelChanged, SessionResumed
from paicli.core.faults import Fault
from paicli.core.messages import AssistantMessage, Message, SystemMessage, ToolCall, ToolEffect
from paicli.core.ops import Mode
from paicli.llm.client import LlmClient
from paicli.session.stored.conversation import RebuiltConversation, rebuilt
from paicli.session.stored.opening import OpenedSession
from paicli.session.stored.plans import PlanHistory
from paicli.session.stored.restored import RestoredState, restored_state
from paicli.tools.registry import ToolRegistry
from paicli.ui.facts import EarlierSession

_COMMAND_TOOL = "execute_command"


class Resumption(NamedTuple):
    opened: OpenedSession
    state: RestoredState
    conversation: RebuiltConversation
    mode: Mode
    """That goes on."""
    plans: PlanHistory

    @property
    def started(self) -> SessionResumed:
        stored = self.opened.stored
        return SessionResumed(len(stored.events), stored.skipped_lines if self.opened.is_newly_damaged else 0)

    @property
    def facts(self) -> EarlierSession:
        """What the person is shown and told of it."""
        state, messages = self.state, self.conversation.messages
        return EarlierSession(
            id=self.opened.folder.id,
            title=state.title or state.first_words,
            turn_count=len(state.turns),
            message_count=sum(not isinstance(message, SystemMessage) for message in messages),
            todo_count=len(state.todos),
            tokens=state.usage.input_tokens + state.usage.output_tokens,
            events=self.opened.stored.events,
            unfinished=self.plans.unfinished,
        )

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What the person should hear of it."""
        opened, found = self.opened, list[Fault]()
        if opened.forked is not None and opened.is_busy:
            found.append(Fault("stored.busy", (("session", opened.forked.from_session), ("id", opened.folder.id))))
        if opened.forked is not None and opened.forked.project:
            found.append(Fault("stored.moved", (("session", opened.forked.from_session), ("id", opened.folder.id))))
        if opened.is_newly_damaged:
            found.append(
                Fault("stored.damaged", (("lines", str(opened.damaged_count)), ("path", str(opened.damaged_file))))
            )
        if opened.stored.unknown_events:
            found.append(Fault("stored.unknown_events", (("events", str(opened.stored.unknown_events)),)))
        return tuple(found)

    def bring_back(self, engine: Engine, react: ReActAgent, registry: ToolRegistry) -> None:
        """Before the engine starts."""
        engine.go_on_from(dict(self.state.turns), self.state.last_turn)
        read = (*self.conversation.summed_up, *self.conversation.messages)
        react.restore(self.conversation, _outside_tools(read, registry))

    def changes(self, client: LlmClient) -> Iterator[EventBody]:
        """What the record must know before the session goes on: where it comes from, what is another now."""
        if self.opened.forked is not None:
            yield self.opened.forked
        if self.mode is not self.state.mode:
            yield ModeChanged(self.mode)
        if (client.provider, client.model) != (self.state.provider, self.state.model):
            yield ModelChanged(client.provider, client.model, client.capabilities.window_tokens)


def resumption_of(opened: OpenedSession, mode: Mode) -> Resumption:
    events = opened.stored.events
    return Resumption(opened, restored_state(events), rebuilt(events, restored_note), mode, PlanHistory(events))


def _outside_tools(messages: tuple[Message, ...], registry: ToolRegistry) -> tuple[str, ...]:
    """The tools that brought content from outside into the conversation, in their order."""
    calls = [call for message in messages if isinstance(message, AssistantMessage) for call in message.tool_calls]
    return tuple(dict.fromkeys(call.name for call in calls if _goes_out(call, registry)))


def _goes_out(call: ToolCall, registry: ToolRegistry) -> bool:
    if call.name != _COMMAND_TOOL:
        # A tool that is not there now is taken for what it may have been.
        return registry.effect_of(call.name) in (ToolEffect.NETWORK, None)
    # start-up: the shell reading is 8 ms of modules, and a conversation without commands needs none
    from paicli.policy.outgoing.reading import read_outgoing

    try:
        values: Any = json.loads(call.arguments)
    except (ValueError, RecursionError):
        return False
    command: Any = cast(dict[str, Any], values).get("command") if isinstance(values, dict) else None
    return isinstance(command, str) and read_outgoing(command).brings_content
