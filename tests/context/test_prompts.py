import os
from collections.abc import Callable
from pathlib import Path

import pytest

from paicli.context.assembly import PromptMode, SystemPrompts
from paicli.context.project_rules import ProjectRules, load_project_rules
from paicli.context.prompt_library import PromptLibrary
from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.errors import SettingsError
from paicli.core.faults import Fault


def test_the_users_prompt_wins_over_the_packaged_one(tmp_path: Path) -> None:
    (tmp_path / "base.md").write_text("mine\n", encoding="utf-8")
    library = PromptLibrary(tmp_path)
    assert library.text("base.md") == "mine"
    assert "paicli" in PromptLibrary().text("base.md")
    assert library.text("modes/react.md") == PromptLibrary().text("modes/react.md")


def test_a_missing_or_unreadable_prompt_is_named(tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as missing:
        PromptLibrary(tmp_path).text("modes/none.md")
    assert missing.value.fields["name"] == "modes/none.md"


def put_fifo(path: Path) -> None:
    os.mkfifo(path)


def put_loop(path: Path) -> None:
    path.symlink_to(path)


@pytest.mark.parametrize(
    ("put", "code"),
    [
        (lambda path: path.write_bytes(b"a\n\xff\xfe\xff"), "settings.prompt_not_utf8"),
        (lambda path: path.write_bytes(b"a" * 1_000_001), "settings.prompt_too_large"),
        (put_fifo, "settings.prompt_no_file"),
        (Path.mkdir, "settings.prompt_no_file"),
        (put_loop, "settings.prompt_unreadable"),
    ],
)
def test_a_prompt_that_cannot_be_used_is_said_at_once_in_one_line(
    tmp_path: Path, put: Callable[[Path], object], code: str
) -> None:
    put(tmp_path / "base.md")
    with pytest.raises(SettingsError) as caught:
        PromptLibrary(tmp_path).text("base.md")
    text = Texts(Language.EN).screen(code, **caught.value.fields)
    assert (caught.value.code, text.count(str(tmp_path)), text.count("\n")) == (code, 1, 0)


def test_the_system_prompt_is_base_mode_rules_and_what_was_appended_in_this_order(tmp_path: Path) -> None:
    (tmp_path / "modes").mkdir()
    (tmp_path / "base.md").write_text("BASE", encoding="utf-8")
    (tmp_path / "modes" / "plan.md").write_text("PLAN {type} {description}", encoding="utf-8")
    (tmp_path / "modes" / "planner.md").write_text("PLANNER", encoding="utf-8")
    prompts = SystemPrompts(PromptLibrary(tmp_path), ProjectRules("RULE-1", "PAI.md"), appended="EXTRA")
    task = prompts.assemble(PromptMode.PLAN, type="COMMAND", description="run {type}")
    assert task.split("\n\n")[:2] == ["BASE", "PLAN COMMAND run {type}"]
    assert task.index("RULE-1") < task.index("EXTRA")
    planner = prompts.assemble(PromptMode.PLANNER)
    assert planner.startswith("PLANNER")
    assert "BASE" not in planner
    assert "RULE-1" in planner
    assert prompts.assemble(PromptMode.PLANNER) == planner


@pytest.mark.parametrize(
    ("put", "what"),
    [
        (lambda path: path.symlink_to(path.parent.parent / "secret"), "outside"),
        (lambda path: path.symlink_to("/dev/zero"), "outside"),
        (lambda path: path.write_bytes(b"PK\x03\x04\0\0"), "unreadable"),
        (put_fifo, "unreadable"),
        (put_loop, "unreadable"),
        (Path.mkdir, "unreadable"),
    ],
)
def test_rules_that_are_no_text_of_the_project_are_left_aside_and_told(
    tmp_path: Path, put: Callable[[Path], object], what: str
) -> None:
    (tmp_path / "secret").write_text("key")
    path = tmp_path / "p" / "PAI.md"
    path.parent.mkdir()
    put(path)
    fault = Fault(f"session.rules_{what}", (("path", str(path)),))
    assert load_project_rules(path.parent) == ProjectRules(faults=(fault,))
    assert str(path) in Texts(Language.EN).screen(fault.code, **dict(fault.fields))


def test_behind_rules_that_are_left_aside_the_next_ones_count(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "PAI.md").write_text("root")
    (tmp_path / "a" / "PAI.md").mkdir(parents=True)
    rules = load_project_rules(tmp_path / "a")
    assert (rules.text, [fault.code for fault in rules.faults]) == ("root", ["session.rules_unreadable"])


def test_the_order_is_base_mode_rules_memory_skills_and_a_planner_knows_the_rules_alone(tmp_path: Path) -> None:
    prompts = SystemPrompts(PromptLibrary(tmp_path), ProjectRules(), appended="EXTRA")
    bare = prompts.assemble(PromptMode.REACT)
    prompts.use(ProjectRules("RULE-1", "PAI.md"), memory="- 2026-01-31 MEMORY", skills="- SKILL: x")
    full = prompts.assemble(PromptMode.REACT)
    places = [full.index(part) for part in ("RULE-1", "MEMORY", "- SKILL", "EXTRA")]
    assert places == sorted(places)
    assert full.startswith(bare.removesuffix("\n\nEXTRA"))
    planner = prompts.assemble(PromptMode.PLANNER)
    assert ("RULE-1" in planner, "MEMORY" in planner, "SKILL" in planner) == (True, False, False)
    task = prompts.assemble(PromptMode.PLAN, type="COMMAND", description="d")
    assert ("MEMORY" in task, "- SKILL" in task) == (True, True)
