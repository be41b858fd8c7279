"""The way of load_skill and save_memory to the skills and the memory: a person's words become a model's."""

import time
from pathlib import Path

from paicli.app.wiring.knowledge.session_knowledge import SessionKnowledge
from paicli.context.memory import SavedLine, save_line
from paicli.context.skills.finding import SkillSource
from paicli.context.skills.shelf import skill_mark, skill_text
from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.errors import ToolFailed, UserFacingError
from paicli.core.event_stream import EventStream
from paicli.core.events import EventBody, MemorySaved, Notice
from paicli.core.faults import Fault
from paicli.core.masking import SecretMasker
from paicli.core.messages import ErrorKind
from paicli.core.unicode import clipped
from paicli.tools.knowledge.load_skill import LoadSkill
from paicli.tools.knowledge.save_memory import SaveMemory
from paicli.tools.tool import SkillText, Tool, ToolContext


class ToolKnowledge:
    """As `tools.knowledge`'s FindSkill and Remember."""

    def __init__(self, knowledge: SessionKnowledge, stream: EventStream, *, masker: SecretMasker) -> None:
        self._knowledge = knowledge
        self._stream = stream
        self._masker = masker

    @property
    def tools(self) -> tuple[Tool, ...]:
        return LoadSkill(self.find_skill), SaveMemory(self.remember)

    def find_skill(self, name: str) -> SkillText:
        shelf = self._knowledge.shelf
        skill = shelf.find(name)
        if skill is None:
            known = ", ".join(each.name for each in shelf.offered)
            raise ToolFailed("skill.unknown", kind=ErrorKind.NOT_FOUND, name=clipped(name, 80), known=known)
        path = "" if skill.source is SkillSource.PACKAGED else str(skill.path)
        return SkillText(skill.name, skill_text(skill), skill_mark(skill.name), path)

    def remember(self, text: str, context: ToolContext) -> tuple[str, bool]:
        try:
            saved = remember_line(self._knowledge.memory_path, text, masker=self._masker)
        except UserFacingError as error:
            reason = Texts(Language.ZH).screen(error.code, **error.fields)
            raise ToolFailed("memory.tool_failed", reason=reason) from error
        if saved.is_new:
            self._stream.publish(MemorySaved(saved.text, str(self._knowledge.memory_path)), context.origin)
        return saved


def remember_line(path: Path, text: str, *, masker: SecretMasker) -> SavedLine:
    """With today's date. No key is ever kept there. Raises UserFacingError."""
    return save_line(path, masker.mask(text), today=time.strftime("%Y-%m-%d"))


def told(saved: SavedLine, path: Path) -> EventBody:
    """What the person hears of a line they asked to keep."""
    return (
        MemorySaved(saved.text, str(path)) if saved.is_new else Notice(Fault("memory.known", (("text", saved.text),)))
    )
