"""What a session had come to when it was left: everything a resume brings back beside the conversation."""

from collections.abc import Iterable
from typing import NamedTuple

from paicli.core.event_bodies.person import ConversationRewound
from paicli.core.events import (
    ConversationCleared,
    Event,
    ModeChanged,
    ModelChanged,
    ModelReplyReceived,
    SessionForked,
    SessionRenamed,
    SessionStarted,
    TodoUpdated,
    TurnStarted,
)
from paicli.core.messages import TodoItem, Usage
from paicli.core.ops import Mode
from paicli.core.unicode import clipped
from paicli.session.turn_ids import turn_number
from paicli.session.turn_words import turn_words

_TITLE_CHARACTERS = 80


class RestoredState(NamedTuple):
    mode: Mode = Mode.AUTO
    provider: str = ""
    model: str = ""
    project: str = ""
    """Absolute path of the project root."""
    title: str = ""
    todos: tuple[TodoItem, ...] = ()
    usage: Usage = Usage()
    """Of all requests together."""
    last_turn: int = 0
    """The highest number of a turn."""
    turns: tuple[tuple[str, TurnStarted], ...] = ()
    """Those of the conversation that stands, with their turn_id, oldest first."""
    first_words: str = ""
    """What the person wrote first of all, or the goal of the stored plan that ran first; on one line."""


def restored_state(events: Iterable[Event]) -> RestoredState:
    """Folds the events up."""
    state, turns = RestoredState(), dict[str, TurnStarted]()
    last_turn, usage = 0, Usage()
    for event in events:
        last_turn = max(last_turn, turn_number(event.origin.turn_id))
        match event.body:
            case SessionStarted(provider=provider, model=model, mode=mode, project=project):
                state = state._replace(provider=provider, model=model, mode=mode, project=project)
            case SessionForked(project=project) if project:
                state = state._replace(project=project)
            case ModeChanged(mode):
                state = state._replace(mode=mode)
            case ModelChanged(provider, model):
                state = state._replace(provider=provider, model=model)
            case SessionRenamed(title):
                state = state._replace(title=title)
            case TodoUpdated(items):
                state = state._replace(todos=items)
            case ModelReplyReceived(response) if response.usage is not None:
                usage = usage.plus(response.usage)
            case TurnStarted(kind, text) as started:
                turns[event.origin.turn_id] = started
                words = " ".join(turn_words(kind, text).split())
                state = state._replace(first_words=state.first_words or clipped(words, _TITLE_CHARACTERS))
            case ConversationCleared():
                turns.clear()
                state = state._replace(todos=())
            case ConversationRewound(before_turn):
                ids = list(turns)
                for later in ids[ids.index(before_turn) :] if before_turn in ids else ():
                    del turns[later]
            case _:
                pass
    return state._replace(usage=usage, last_turn=last_turn, turns=tuple(turns.items()))
