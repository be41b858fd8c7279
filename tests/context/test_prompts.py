from pathlib import Path

import pytest

from paicli.context.assembly import PromptMode, SystemPrompts
from paicli.context.project_rules import LIMIT, ProjectRules, load_project_rules
from paicli.context.prompt_library import PromptLibrary
from paicli.core.errors import SettingsError


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
    (tmp_path / "base.md").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(SettingsError) as unreadable:
        PromptLibrary(tmp_path).text("base.md")
    assert unreadable.value.code == "settings.prompt_unreadable"


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


def test_the_nearest_rules_up_to_the_git_root_are_taken(tmp_path: Path) -> None:
    project, inner = tmp_path / "p", tmp_path / "p" / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "PAI.md").write_text("outside")
    (project / ".git").mkdir()
    assert load_project_rules(inner) == ProjectRules()
    (project / "PAI.md").write_text("root")
    assert load_project_rules(inner).text == "root"
    (inner.parent / "PAI.md").write_bytes(b"\xef\xbb\xbfnearer\n")
    assert load_project_rules(inner) == ProjectRules("nearer", str(inner.parent / "PAI.md"))


def test_without_git_only_the_folder_itself_counts_and_long_rules_are_cut(tmp_path: Path) -> None:
    inner = tmp_path / "a"
    inner.mkdir()
    (tmp_path / "PAI.md").write_text("above")
    assert load_project_rules(inner) == ProjectRules()
    (inner / "PAI.md").write_text("规" * (LIMIT + 5), encoding="utf-8")
    rules = load_project_rules(inner)
    assert (len(rules.text), rules.is_cut) == (LIMIT, True)


def test_rules_that_link_out_of_the_project_are_not_read(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("key")
    project = tmp_path / "p"
    project.mkdir()
    (project / "PAI.md").symlink_to(tmp_path / "secret")
    assert load_project_rules(project) == ProjectRules()
