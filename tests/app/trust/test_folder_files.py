# C80: what counts as brought, and what its digest is about.
import os
from pathlib import Path

import pytest

from paicli.app.trust.folder_files import LIMIT_BYTES, Brought, files_brought


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder.resolve()


def put(root: Path, name: str, text: str = "x") -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def brought(root: Path, home: Path | None = None) -> Brought:
    return files_brought(root, home=home or root.parent / "home" / ".paicli", user_home=root.parent / "home")


def names(root: Path) -> list[str]:
    return [file.name for file in brought(root).files]


def digests(root: Path) -> dict[str, str]:
    return {file.name: file.digest for file in brought(root).files}


def test_a_folder_without_such_files_brings_nothing(root: Path) -> None:
    put(root, "PAI.md")
    put(root, ".env", "DATABASE_URL=x\n")
    put(root, ".paicli/plans/a.json")
    put(root, ".paicli/trust.json")
    put(root, ".paicli/config.toml", " \n")
    put(root, ".paicli/commands/notes.txt")
    put(root, ".paicli/skills/words/SKILL.md")
    put(root, ".claude/skills/words/SKILL.md")
    put(root, ".claude/skills/words/more/reference.md")
    put(root, ".claude/skills/no-skill/run.sh")
    assert brought(root) == Brought()


def test_every_kind_is_found(root: Path) -> None:
    wanted = [
        put(root, ".env", "GLM_API_KEY=k"),
        put(root, ".paicli/config.toml"),
        put(root, ".paicli/mcp.json"),
        put(root, ".paicli/commands/a.md"),
        put(root, ".agents/skills/s/SKILL.md"),
        put(root, ".agents/skills/s/scripts/run.py"),
    ]
    assert names(root) == [path.relative_to(root).as_posix() for path in wanted]


def test_a_text_that_may_be_run_makes_a_skill_a_program(root: Path) -> None:
    put(root, ".claude/skills/s/SKILL.md")
    put(root, ".claude/skills/s/run.txt").chmod(0o755)
    assert names(root) == [".claude/skills/s/SKILL.md", ".claude/skills/s/run.txt"]


def test_other_variables_of_an_env_file_may_change(root: Path) -> None:
    put(root, ".env", "GLM_API_KEY=k\nPORT=1\n")
    before = digests(root)
    put(root, ".env", "# moved\nPORT=2\nexport GLM_API_KEY='k'\n")
    assert digests(root) == before
    put(root, ".env", "GLM_API_KEY=k\nPAICLI_BASE_URL=http://x\n")
    assert digests(root) != before


def test_every_byte_of_the_other_files_counts(root: Path) -> None:
    put(root, ".paicli/mcp.json", '{"mcpServers": {"a": {"command": "x", "args": ["1"]}}}')
    put(root, ".claude/skills/s/SKILL.md")
    put(root, ".claude/skills/s/run.sh", "echo 1")
    before = digests(root)
    put(root, ".paicli/mcp.json", '{"mcpServers": {"a": {"command": "x", "args": ["2"]}}}')
    put(root, ".claude/skills/s/run.sh", "echo 2")
    after = digests(root)
    assert [name for name in before if before[name] != after[name]] == [".paicli/mcp.json", ".claude/skills/s/run.sh"]


def test_the_users_own_home_is_not_brought_by_a_folder(root: Path) -> None:
    put(root, ".paicli/config.toml")
    put(root, ".paicli/commands/a.md")
    put(root, ".claude/skills/s/SKILL.md")
    put(root, ".claude/skills/s/run.sh")
    found = files_brought(root, home=root / ".paicli", user_home=root)
    assert found == Brought()


def test_what_cant_be_judged_is_said_and_never_used(root: Path) -> None:
    put(root.parent, "outside.toml", "[model]\nmodel = 'x'\n")
    (root / ".paicli" / "commands").mkdir(parents=True)
    (root / ".paicli" / "config.toml").symlink_to(root.parent / "outside.toml")
    os.mkfifo(root / ".paicli" / "mcp.json")
    put(root, ".paicli/commands/big.md", "x" * (LIMIT_BYTES + 1))
    (root / ".env").symlink_to(root.parent / "nowhere")
    found = brought(root)
    assert found.files == ()
    assert [(fault.code, Path(dict(fault.fields)["path"]).name) for fault in found.faults] == [
        ("trust.outside", "config.toml"),
        ("trust.unreadable", "mcp.json"),
        ("trust.too_large", "big.md"),
    ]
