from pathlib import Path

import pytest

from paicli.app.config.config_file import ConfigFile, read_config
from paicli.app.settings import ModelSettings, Settings
from paicli.app.trust.folder_files import files_brought
from paicli.app.trust.project_trust import ProjectTrust
from paicli.app.wiring.knowledge.changes import KnowledgeChanges
from paicli.app.wiring.knowledge.session_knowledge import SessionKnowledge
from paicli.context.assembly import PromptMode, SystemPrompts
from paicli.context.prompt_library import PromptLibrary
from paicli.core.catalogue.lookup import Language
from paicli.core.errors import UserFacingError
from paicli.core.events import EventBody, MemorySaved, Notice
from paicli.core.masking import SecretMasker
from paicli.core.messages import ToolDeclaration
from paicli.core.ops import ForgetMemory, Mode, SaveMemory, SwitchSkill
from paicli.tools.knowledge.load_skill import LoadSkill
from paicli.tools.registry import ToolRegistry
from paicli.tools.tool import SkillText
from paicli.tools.web.search.providers import SearchChoice
from tests.context.skills.test_finding import put_skill

PACKAGED = PromptLibrary().packaged / "skills"


class House:
    """A home, a user's home and a project below `tmp_path`, and what is known in it."""

    def __init__(self, root: Path) -> None:
        self.home, self.project = root / "home" / ".paicli", root / "project"
        (self.project / "inner" / ".git").parent.mkdir(parents=True, exist_ok=True)
        (self.project / ".git").mkdir(exist_ok=True)
        self.settings = Settings(
            Language.EN, self.home, self.project, ModelSettings("custom", "m", "http://localhost"), Mode.AUTO
        )

    def know(self, **changes: object) -> SessionKnowledge:
        return SessionKnowledge(self.settings._replace(**changes), packaged_skills=PACKAGED)

    def trusted(self) -> ProjectTrust:
        brought = files_brought(self.project, home=self.home, user_home=self.home.parent)
        return ProjectTrust(self.project, True, brought.files)


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return House(tmp_path)


def names(knowledge: SessionKnowledge) -> list[str]:
    return [skill.name for skill in knowledge.shelf.offered]


def test_skills_come_from_the_project_down_to_its_root_then_from_the_users_homes_the_nearest_first(
    house: House,
) -> None:
    places = [
        house.project / "inner" / ".paicli",
        house.project / "inner" / ".claude",
        house.project / ".paicli",
        house.project / ".agents",
        house.home,
        house.home.parent / ".agents",
        house.home.parent / ".claude",
    ]
    for number, place in enumerate(places):
        put_skill(place / "skills", f"s{number}")
        put_skill(place / "skills", "same", f"---\nname: same\ndescription: of {number}\n---\nx\n")
    knowledge = house.know(project_root=house.project / "inner")
    assert [name for name in names(knowledge) if name != "same"] == [f"s{number}" for number in range(7)]
    assert [skill.description for skill in knowledge.shelf.offered if skill.name == "same"] == ["of 0"]
    assert knowledge.skill_folders == tuple(place / "skills" / f"s{n}" for n, place in enumerate(places) if n > 3)


def test_a_skill_with_a_program_needs_a_trusted_folder_and_the_same_of_the_user_does_not(house: House) -> None:
    for place in (house.project / ".claude", house.home):
        folder = put_skill(place / "skills", "runs")
        (folder / "run.sh").write_text("touch MARK")
    put_skill(house.project / ".claude" / "skills", "reads")
    (house.project / ".claude" / "skills" / "reads" / "more.md").write_text("more")
    untrusted = house.know()
    assert [(skill.name, skill.source.value) for skill in untrusted.shelf.offered] == [
        ("reads", "project"),
        ("runs", "user"),
    ]
    assert ([fault.code for fault in untrusted.shelf.found.faults], untrusted.faults) == (["skills.untrusted"], ())
    trusted = house.know(trust=house.trusted())
    assert [(skill.name, skill.source.value) for skill in trusted.shelf.offered] == [
        ("reads", "project"),
        ("runs", "project"),
    ]


def test_the_packaged_skill_is_offered_where_the_web_can_be_searched(house: House) -> None:
    assert names(house.know()) == []
    assert names(house.know(web_search=SearchChoice("tavily", "key"))) == ["web-access"]


def test_a_reload_hands_everything_over_and_offers_load_skill_where_there_is_a_skill(house: House) -> None:
    knowledge = house.know()
    prompts = SystemPrompts(PromptLibrary(), knowledge.rules)
    registry = ToolRegistry(
        [LoadSkill(lambda name: SkillText(name, "", ""))], schemas={"load_skill": {}}, describe=lambda name: name
    )
    knowledge.serve(prompts, registry)
    before = prompts.assemble(PromptMode.REACT)
    assert registry.declarations == ()
    house.home.mkdir()
    (house.home / "memory.md").write_text("- use tabs\n")
    (house.home / "PAI.md").write_text("be brief\n")
    put_skill(house.project / ".agents" / "skills", "tidy")
    assert prompts.assemble(PromptMode.REACT) == before
    knowledge.reload()
    after = prompts.assemble(PromptMode.REACT)
    places = [after.index(part) for part in ("be brief", "- use tabs", "- tidy: about tidy")]
    assert places == sorted(places)
    assert registry.declarations == (ToolDeclaration("load_skill", "load_skill", {}),)


def test_a_memory_that_can_not_be_read_is_told_and_costs_the_memory_alone(house: House) -> None:
    (house.home / "memory.md").mkdir(parents=True)
    (house.project / "PAI.md").write_text("rules")
    knowledge = house.know()
    assert (knowledge.memory, knowledge.rules.text) == ("", "rules")
    assert [fault.code for fault in knowledge.faults] == ["memory.unreadable"]


class Changing:
    """What is changed, by op."""

    def __init__(self, house: House, *, has_begun: bool = True, brought: tuple[ConfigFile, ...] = ()) -> None:
        self.knowledge = house.know()
        self.config = house.home / "config.toml"
        masker = SecretMasker(("sk-canary-12345678",))
        self._changes = KnowledgeChanges(
            self.knowledge, self.config, masker=masker, has_begun=lambda: has_begun, brought=brought
        )

    def told(self, op: SaveMemory | ForgetMemory | SwitchSkill) -> list[EventBody]:
        return list(self._changes.change(op))

    def codes(self, op: SaveMemory | ForgetMemory | SwitchSkill) -> list[str]:
        return [body.fault.code for body in self.told(op) if isinstance(body, Notice)]


def test_a_saved_line_is_masked_said_and_known_from_the_next_conversation(house: House) -> None:
    changing = Changing(house)
    path = house.home / "memory.md"
    assert changing.told(SaveMemory("the key is sk-canary-12345678")) == [MemorySaved("the key is ***", str(path))]
    assert "sk-canary" not in path.read_text()
    assert changing.codes(SaveMemory("the key is sk-canary-12345678")) == ["memory.known"]
    assert changing.knowledge.memory == ""
    line = path.read_text().strip()
    assert changing.codes(ForgetMemory(line)) == ["memory.forgotten"]
    with pytest.raises(UserFacingError):
        changing.told(ForgetMemory(line))


def test_before_the_first_message_a_saved_line_is_known_at_once(house: House) -> None:
    changing = Changing(house, has_begun=False)
    changing.told(SaveMemory("use tabs"))
    assert changing.knowledge.memory.endswith(" use tabs")


def test_a_skill_is_switched_off_and_on_for_good_from_the_next_conversation(house: House) -> None:
    put_skill(house.project / ".agents" / "skills", "tidy")
    changing = Changing(house)
    assert changing.codes(SwitchSkill("tidy", False)) == ["skills.switched_off"]
    assert (names(changing.knowledge), read_config(changing.config).get("skills.off")) == (["tidy"], ["tidy"])
    changing.knowledge.reload()
    assert names(changing.knowledge) == []
    assert changing.codes(SwitchSkill("tidy", True)) == ["skills.switched_on"]
    changing.knowledge.reload()
    assert (names(changing.knowledge), read_config(changing.config).get("skills.off")) == (["tidy"], None)


def test_what_is_no_skill_or_the_projects_to_say_is_not_switched(house: House) -> None:
    put_skill(house.project / ".agents" / "skills", "tidy")
    project = ConfigFile(house.project / ".paicli" / "config.toml", {"skills.off": ["tidy"]})
    changing = Changing(house, brought=(project,))
    for op, code in (
        (SwitchSkill("../evil", False), "skills.unknown"),
        (SwitchSkill("tidy", True), "skills.off_by_project"),
    ):
        with pytest.raises(UserFacingError) as caught:
            changing.told(op)
        assert caught.value.code == code
    assert not changing.config.exists()
