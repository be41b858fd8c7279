"""The rules, memory and skills of a session: loaded in one place, as a whole, when a conversation begins."""

from pathlib import Path

from paicli.app.settings import Settings
from paicli.app.trust.folder_files import holds_programs, is_as_agreed, is_same_folder
from paicli.context.assembly import SystemPrompts
from paicli.context.memory import FILE_NAME as MEMORY_NAME
from paicli.context.memory import memory_lines, memory_text
from paicli.context.project_rules import ProjectRules, load_project_rules, project_folders
from paicli.context.skills.finding import PLACES, SkillPlace, SkillSource, find_skills
from paicli.context.skills.shelf import SkillShelf
from paicli.core.errors import UserFacingError
from paicli.core.faults import Fault, fault_of
from paicli.core.masking import SecretMasker
from paicli.tools.knowledge.load_skill import LoadSkill
from paicli.tools.registry import ToolRegistry
from paicli.tools.web.search.providers import SearchChoice

WEB_SKILL = "web-access"


class SessionKnowledge:
    """What the next conversation knows. `reload` is the one way to look at the disk again."""

    def __init__(self, settings: Settings, *, packaged_skills: Path) -> None:
        """`packaged_skills`: the folder of those that paicli brings."""
        self._settings = settings
        self._packaged = packaged_skills
        self.memory_path = settings.home / MEMORY_NAME
        self.off = frozenset(settings.skills_off)
        """Skills that are switched off, as the next `reload` minds them."""
        self.rules = ProjectRules()
        self.memory = ""
        self.shelf = SkillShelf()
        self.faults: tuple[Fault, ...] = ()
        """What a person should hear of what was loaded."""
        self._users: tuple[SystemPrompts, ToolRegistry] | None = None
        self.reload()

    def serve(self, prompts: SystemPrompts, registry: ToolRegistry) -> None:
        """From now on they have what was loaded last."""
        self._users = prompts, registry
        self._hand_over()

    def reload(self) -> None:
        """A conversation begins, or goes on from its summary: everything is read as it is now."""
        self.rules = load_project_rules(self._settings.project_root, home=self._settings.home, is_secret=_is_secret)
        faults: list[Fault] = list(self.rules.faults)
        try:
            self.memory = memory_text(memory_lines(self.memory_path))
        except UserFacingError as error:
            self.memory = ""
            faults.append(fault_of(error, SecretMasker()))
        found = find_skills(self._places(), is_usable=self._is_usable)
        self.shelf = SkillShelf(found, self.off | self._unusable())
        self.faults = (*faults, *self.shelf.faults)
        self._hand_over()

    @property
    def skill_folders(self) -> tuple[Path, ...]:
        """Of the user's skills: what stands beside a SKILL.md may be read."""
        return tuple(skill.folder for skill in self.shelf.found.skills if skill.source is SkillSource.USER)

    def _hand_over(self) -> None:
        if self._users is None:
            return
        prompts, registry = self._users
        index = self.shelf.index_text if registry.get(LoadSkill.name) is not None else ""
        prompts.use(self.rules, memory=self.memory, skills=index)
        (registry.offer if index else registry.withhold)(LoadSkill.name)

    def _places(self) -> list[SkillPlace]:
        settings, user_home = self._settings, Path.home()
        folders = project_folders(settings.project_root)
        own = [folder for folder in reversed(folders) if not is_same_folder(folder, user_home)]
        places = [
            SkillPlace(folder.joinpath(*place), SkillSource.PROJECT, inside=folders[0])
            for folder in own
            for place in PLACES
        ]
        places.append(SkillPlace(settings.home / "skills", SkillSource.USER))
        places += [SkillPlace(user_home.joinpath(*place), SkillSource.USER) for place in PLACES[1:]]
        return [*places, SkillPlace(self._packaged, SkillSource.PACKAGED)]

    def _is_usable(self, folder: Path) -> bool:
        return not holds_programs(folder) or is_as_agreed(self._settings.trust, folder)

    def _unusable(self) -> frozenset[str]:
        """How to search the web is of no use to a model that can't."""
        return frozenset() if can_search(self._settings.web_search) else frozenset({WEB_SKILL})


def _is_secret(name: str) -> bool:
    from paicli.policy.secret_files import is_secret  # start-up: 1 ms of patterns, and few rules import a file

    return is_secret(name)


def can_search(search: SearchChoice) -> bool:
    return search.missing != "provider"
