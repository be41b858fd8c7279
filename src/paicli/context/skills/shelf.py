"""The skills that a conversation can be given: the index in its system prompt, and their texts."""

from collections.abc import Iterator
from typing import NamedTuple

from paicli.context.skills.finding import BODY_CHARACTERS, FoundSkills, Skill
from paicli.core.catalogue.lookup import model_text
from paicli.core.faults import Fault

INDEX_SKILLS = 20
INDEX_BYTES = 4_096
_SHORTEST_BYTES = 120
"""Of a description that is shortened to fit; what would have to be shorter is left out."""


class SkillShelf(NamedTuple):
    """As they stood when the conversation began."""

    found: FoundSkills = FoundSkills()
    off: frozenset[str] = frozenset()
    """Names that the person switched off."""

    @property
    def offered(self) -> tuple[Skill, ...]:
        """Those that a model may load, named in the index or not."""
        return tuple(skill for skill in self.found.skills if skill.name not in self.off)

    @property
    def indexed(self) -> tuple[str, ...]:
        """The names that stand in the index."""
        return tuple(name for name, _ in _entries(self.offered))

    @property
    def index_text(self) -> str:
        """What stands in the system prompt; "" without skills."""
        entries = "\n".join(entry for _, entry in _entries(self.offered))
        return model_text("skill.index", entries=entries) if entries else ""

    @property
    def faults(self) -> tuple[Fault, ...]:
        """What a person should hear at the start; that a folder is not trusted is said elsewhere."""
        return tuple(fault for fault in self.found.faults if fault.code != "skills.untrusted")

    def find(self, name: str) -> Skill | None:
        return next((skill for skill in self.offered if skill.name == name), None)


def skill_text(skill: Skill) -> str:
    """The text that joins a conversation: at most 5,120 characters of the body, the notice of a cut among them."""
    body = skill.body
    if len(body) > BODY_CHARACTERS:
        notice = model_text("skill.cut", total=len(body), path=skill.path)
        body = f"{body[: BODY_CHARACTERS - len(notice) - 1]}\n{notice}"
    return model_text("skill.body", mark=skill_mark(skill.name), folder=skill.folder, text=body)


def skill_mark(name: str) -> str:
    """What the text of that skill begins with, wherever it comes from."""
    return model_text("skill.mark", name=name)


def _entries(skills: tuple[Skill, ...]) -> Iterator[tuple[str, str]]:
    left = INDEX_BYTES
    for skill in skills[:INDEX_SKILLS]:
        entry = f"- {skill.name}: {skill.description}"
        size = len(entry.encode()) + 1
        if size > left:
            if left < _SHORTEST_BYTES:
                return
            entry = entry.encode()[: left - 4].decode(errors="ignore") + "…"
            size = left
        left -= size
        yield skill.name, entry
