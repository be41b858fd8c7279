from pathlib import Path

import pytest

from paicli.app.wiring.knowledge.tool_knowledge import ToolKnowledge
from paicli.core.cancellation import CancellationToken
from paicli.core.catalogue.lookup import model_text
from paicli.core.errors import ToolFailed
from paicli.core.event_stream import EventStream
from paicli.core.events import MemorySaved, Origin
from paicli.core.masking import SecretMasker
from paicli.policy.path_guard import PathGuard
from paicli.tools.ledger import FileLocks, ReadLedger
from paicli.tools.registry import ToolRegistry
from paicli.tools.tool import SkillText, ToolContext
from paicli.tools.web.search.providers import SearchChoice
from tests.app.wiring.knowledge.test_session_knowledge import House
from tests.context.skills.test_finding import put_skill
from tests.fakes.recording_listener import RecordingListener

ORIGIN = Origin("turn_1", "react")


class Shelf:
    def __init__(self) -> None:
        self.taken: list[SkillText] = []

    def take_in(self, skill: SkillText) -> bool:
        self.taken.append(skill)
        return len(self.taken) == 1


class Tools:
    """Both tools in a house."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch, **changes: object) -> None:
        (root / "home").mkdir(exist_ok=True)
        monkeypatch.setenv("HOME", str(root / "home"))
        self.house = House(root)
        self.listener, self.shelf = RecordingListener(), Shelf()
        stream = EventStream("session-1")
        stream.subscribe(self.listener)
        knowledge = self.house.know(**changes)
        tools = ToolKnowledge(knowledge, stream, masker=SecretMasker(("sk-canary-12345678",))).tools
        self._load, self._save = tools
        paths = PathGuard(self.house.project)
        self.context = ToolContext(
            "react",
            "call_1",
            CancellationToken(),
            paths,
            ReadLedger(),
            FileLocks(),
            origin=ORIGIN,
            skills=self.shelf,
        )

    def load(self, name: str) -> str:
        return self._load.run(self._load.arguments_model(name=name), self.context).content

    def save(self, text: str) -> str:
        return self._save.run(self._save.arguments_model(text=text), self.context).content


@pytest.mark.parametrize(
    "name", ["../evil", "/tmp/evil", "a/../../evil", "..", "", "CON", "a\0b", "a" * 300, "Tidy", "\ud83d"]
)
def test_a_name_that_is_no_skill_is_refused_with_those_there_are(  # C82
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    put_skill(tmp_path / "project" / ".agents" / "skills", "tidy")
    tools = Tools(tmp_path, monkeypatch)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(ToolFailed) as caught:
        tools.load(name)
    told = model_text(caught.value.code, **caught.value.fields)
    assert (told.endswith("可用: tidy"), len(told) < 200, tools.shelf.taken) == (True, True, [])
    assert sorted(tmp_path.rglob("*")) == before


def test_a_skill_is_handed_over_with_its_folder_and_the_second_call_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = put_skill(tmp_path / "project" / ".agents" / "skills", "tidy")
    tools = Tools(tmp_path, monkeypatch)
    assert [tools.load("tidy"), tools.load("tidy")] == [
        "技能 tidy 已加载,内容在下一条消息里。",
        "技能 tidy 在本对话里已经加载,内容在前面,照它做即可。",
    ]
    text = f'<skill name="tidy" folder="{folder}">\ndo tidy\n</skill>'
    assert tools.shelf.taken == [SkillText("tidy", text, '<skill name="tidy"', str(folder / "SKILL.md"))] * 2


def test_what_paicli_brings_has_no_path_for_the_events(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tools = Tools(tmp_path, monkeypatch, web_search=SearchChoice("tavily", "key"))
    tools.load("web-access")
    assert [skill.path for skill in tools.shelf.taken] == [""]


def test_a_line_is_saved_masked_and_told_under_the_calls_origin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = Tools(tmp_path, monkeypatch)
    assert tools.save("key sk-canary-12345678") == "已记住,从下一个对话起生效:key ***"
    assert tools.save("KEY ***") == "已经记着,没有重复保存:KEY ***"
    path = tools.house.home / "memory.md"
    assert [(event.origin, event.body) for event in tools.listener.events] == [
        (ORIGIN, MemorySaved("key ***", str(path)))
    ]
    assert "sk-canary" not in path.read_text()


def test_what_can_not_be_saved_is_a_failure_with_its_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tools = Tools(tmp_path, monkeypatch)
    with pytest.raises(ToolFailed) as caught:
        tools.save("x" * 1_001)
    assert model_text(caught.value.code, **caught.value.fields).startswith("没有保存:要记住的文字有 1001 个字符")
    assert not (tools.house.home / "memory.md").exists()


def test_a_tool_that_is_withheld_answers_and_is_offered_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tools = Tools(tmp_path, monkeypatch)
    registry = ToolRegistry(
        ToolKnowledge(tools.house.know(), EventStream("s"), masker=SecretMasker()).tools,
        schemas={"load_skill": {}, "save_memory": {}},
        describe=str,
    )
    registry.withhold("load_skill")
    assert ([each.name for each in registry.declarations], registry.is_offered("load_skill")) == (
        ["save_memory"],
        False,
    )
    assert registry.find("load_skill").name == "load_skill"
    registry.offer("load_skill")
    assert [each.name for each in registry.declarations] == ["load_skill", "save_memory"]
