import pytest

from paicli.core.faults import Fault
from paicli.core.ops import ForgetMemory, SaveMemory, SwitchSkill
from paicli.ui.command import Edit, EditedThing
from paicli.ui.command_completion import command_proposals
from paicli.ui.queries import MemoryReport, RulesFile, SkillRow, SkillsReport
from tests.fakes.canned_queries import CannedQueries
from tests.ui.test_commands import Desk

FILES = (
    RulesFile("/h/PAI.md", 10, 10),
    RulesFile("/w/docs/x.md", 20, 20, imported_by="/w/PAI.md"),
    RulesFile("/w/PAI.md", 90_000, 39_000, is_cut=True),
)
SKILLS = SkillsReport(
    (
        SkillRow("tidy", "sweeps", "project", "/w/tidy/SKILL.md"),
        SkillRow("old", "not now", "user", "/h/old/SKILL.md", is_off=True, is_listed=False),
        SkillRow("late", "no room", "packaged", "/p/late/SKILL.md", is_listed=False),
    ),
    (Fault("skills.no_body", (("path", "/w/bad/SKILL.md"),)),),
)


class ThreeFiles(CannedQueries):
    def rules_files(self) -> tuple[RulesFile, ...]:
        return FILES


def known() -> ThreeFiles:
    return ThreeFiles(remembered=MemoryReport("/h/memory.md", ("- a", "- b")), known_skills=SKILLS)


def test_memory_shows_each_file_with_its_size_and_importer_and_each_remembered_line() -> None:
    assert Desk(known()).answer("/memory") == (
        "  1. /h/PAI.md (10 bytes, 10 characters)\n"
        "  2. /w/docs/x.md (20 bytes, 20 characters), imported by /w/PAI.md\n"
        "  3. /w/PAI.md (90,000 bytes, only the first 39,000 characters were taken)\n"
        "/memory edit [N] opens file N (without N: the nearest)\n"
        "Memory /h/memory.md:\n  1. a\n  2. b\n"
        "/memory forget N takes a line out"
    )


def test_memory_says_what_there_is_not() -> None:
    empty = Desk(CannedQueries(loaded=None)).answer("/memory")
    assert empty == ("No PAI.md was loaded; /init writes one\nNothing is remembered yet; /save TEXT keeps a line")
    fault = Fault("memory.unreadable", (("path", "/h/memory.md"), ("reason", "denied")))
    broken = CannedQueries(loaded=None, remembered=MemoryReport("/h/memory.md", (), fault))
    assert str(Desk(broken).answer("/memory")).endswith("The memory file /h/memory.md can't be read: denied")


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("/memory edit", Edit(EditedThing.PROJECT_RULES)),
        ("/memory edit 2", Edit(EditedThing.PROJECT_RULES, 2)),
        ("/memory edit 4", "There is no file 4"),
        ("/memory edit 0", "There is no file 0"),
        ("/memory forget 3", "There is no memory 3"),
        ("/memory forget", "Usage: /memory, /memory edit [N], /memory forget N"),
        ("/memory forget \u0663", "Usage: /memory, /memory edit [N], /memory forget N"),
        ("/memory list", "Usage: /memory, /memory edit [N], /memory forget N"),
        ("/save", "Usage: /save TEXT"),
        ("/skill show", "Usage: /skill [list|show NAME|on NAME|off NAME]"),
        ("/skill tidy", "Usage: /skill [list|show NAME|on NAME|off NAME]"),
        ("/skill show none", "There is no skill none. There are: tidy"),
        ("/skill show tidy", "/w/tidy\nhow to be tidy"),
    ],
)
def test_what_a_command_answers_by_itself(text: str, answer: str | Edit) -> None:
    desk = Desk(known())
    assert desk.answer(text) == answer
    assert desk.ops == []


@pytest.mark.parametrize(
    ("text", "op"),
    [
        ("/save  use tabs ", SaveMemory("use tabs")),
        ("/memory forget 2", ForgetMemory("- b")),
        ("/skill off tidy", SwitchSkill("tidy", False)),
        ("/skill ON old", SwitchSkill("old", True)),
    ],
)
def test_what_changes_something_is_an_op(text: str, op: object) -> None:
    desk = Desk(known())
    assert desk.answer(text) == ""
    assert desk.ops == [op]


def test_skill_lists_each_with_where_it_comes_from_and_what_was_left_aside() -> None:
    shown = (
        "Skills:\n"
        "  tidy (project): sweeps\n"
        "  old (yours, off): not now\n"
        "  late (packaged, no room in the prompt, loaded by name): no room\n"
        "The skill file /w/bad/SKILL.md has no text below its front matter\n"
        "/skill show NAME shows its text; /skill on|off NAME switches it, from the next conversation on"
    )
    assert Desk(known()).answer("/skill") == shown
    assert Desk(known()).answer("/skill list") == shown
    assert str(Desk().answer("/skill")).startswith("No skills.")


def test_arguments_are_completed_by_what_there_is() -> None:
    desk = Desk(known())

    def completed(typed: str) -> list[str]:
        return [proposal.text for proposal in command_proposals(typed, desk.desk, desk.texts)]

    assert completed("/memory e") == ["/memory edit", "/memory edit 1", "/memory edit 2", "/memory edit 3"]
    assert completed("/memory f") == ["/memory forget 1", "/memory forget 2"]
    assert completed("/skill o") == ["/skill off tidy", "/skill on old", "/skill off late"]
    assert completed("/skill s") == ["/skill show tidy", "/skill show old", "/skill show late"]
