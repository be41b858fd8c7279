"""Carries out what changes the memory and the skills on a person's word."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from paicli.app.config.config_file import ConfigFile
from paicli.app.wiring.knowledge.session_knowledge import SessionKnowledge
from paicli.app.wiring.knowledge.tool_knowledge import remember_line, told
from paicli.context.memory import forget_line
from paicli.core.errors import UserFacingError
from paicli.core.events import EventBody, Notice
from paicli.core.faults import Fault
from paicli.core.masking import SecretMasker
from paicli.core.ops import ForgetMemory, SaveMemory, SwitchSkill

_KEY = "skills.off"


class KnowledgeChanges:
    """What is changed counts from the next conversation on; where none has begun, at once."""

    def __init__(
        self,
        knowledge: SessionKnowledge,
        config_path: Path,
        *,
        masker: SecretMasker,
        has_begun: Callable[[], bool],
        brought: tuple[ConfigFile, ...] = (),
    ) -> None:
        """`has_begun`: whether the conversation has a message. `brought`: settings of a trusted folder."""
        self._knowledge = knowledge
        self._config_path = config_path
        self._masker = masker
        self._has_begun = has_begun
        self._brought = brought

    def change(self, op: SaveMemory | ForgetMemory | SwitchSkill) -> Iterator[EventBody]:
        """Raises UserFacingError, SettingsError."""
        match op:
            case SaveMemory(text):
                yield self._saved(text)
            case ForgetMemory(line):
                yield self._forgotten(line)
            case SwitchSkill(name, is_on):
                yield self._switched(name, is_on=is_on)
        if not self._has_begun():
            self._knowledge.reload()

    def _saved(self, text: str) -> EventBody:
        path = self._knowledge.memory_path
        return told(remember_line(path, text, masker=self._masker), path)

    def _forgotten(self, line: str) -> EventBody:
        if not forget_line(self._knowledge.memory_path, line):
            raise UserFacingError("memory.no_line", number=line)
        return Notice(Fault.of("memory.forgotten", text=line))

    def _switched(self, name: str, *, is_on: bool) -> EventBody:
        # start-up: tomlkit costs some 20 ms, and only what is kept needs it
        from paicli.app.config.config_edit import change_config

        knowledge = self._knowledge
        known = sorted({*(skill.name for skill in knowledge.shelf.found.skills), *knowledge.off})
        if name not in known:
            raise UserFacingError("skills.unknown", name=name, known=", ".join(known))
        by_project = next((file for file in self._brought if name in (file.values.get(_KEY) or ())), None)
        if is_on and by_project is not None:
            raise UserFacingError("skills.off_by_project", name=name, path=str(by_project.path))

        def changed(config: ConfigFile) -> dict[str, Any]:
            before: list[str] = list(config.values.get(_KEY) or ())
            after = [each for each in before if each != name] + ([] if is_on else [name])
            return {_KEY: after or None} if after != before else {}

        change_config(self._config_path, changed)
        knowledge.off = knowledge.off - {name} if is_on else knowledge.off | {name}
        return Notice(Fault.of("skills.switched_on" if is_on else "skills.switched_off", name=name))
