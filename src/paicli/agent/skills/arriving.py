"""What load_skill was asked for by one actor: it joins the conversation behind the results, once."""

import threading

from paicli.agent.conversation import Conversation
from paicli.core.event_stream import Emit
from paicli.core.events import SkillLoaded
from paicli.core.messages import UserMessage
from paicli.tools.tool import SkillText


class ArrivingSkills:
    """As `tools.tool.SkillIntake`. Thread-safe: the calls of a step may run side by side.

    Whether a skill is loaded is told from the conversation itself: a rewind, a clearing or a summary that takes its
    text away makes it loadable again, and a resumed conversation knows what it has.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._conversation: Conversation | None = None
        self._waiting: dict[str, SkillText] = {}

    def begin(self, conversation: Conversation) -> None:
        """The conversation that the actor works in."""
        self._conversation = conversation

    def take_in(self, skill: SkillText) -> bool:
        with self._lock:
            is_there = self._conversation is not None and self._conversation.holds_message(skill.mark)
            if is_there or skill.name in self._waiting:
                return False
            self._waiting[skill.name] = skill
            return True

    def join(self, conversation: Conversation, emit: Emit) -> None:
        """Adds what waits as the person's messages, in the order of the calls' arrival."""
        with self._lock:
            self._conversation = conversation
            waiting = list(self._waiting.values())
            self._waiting.clear()
        for skill in waiting:
            conversation.append(UserMessage(skill.text), emit)
            emit(SkillLoaded(skill.name, skill.path))
