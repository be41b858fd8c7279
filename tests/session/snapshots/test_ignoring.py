import shutil
import subprocess
from pathlib import Path

import pytest

from paicli.core.errors import UserFacingError
from paicli.session.snapshots.ignoring import excludes_of_project
from tests.session.snapshots.ground import Ground


@pytest.mark.parametrize(
    ("pattern", "below"),
    [
        ("build/", "build/\n"),
        ("!keep", "!keep\n"),
        ("/apps/web/dist/", "/dist/\n"),
        ("apps/web/a b/*.o", "/a b/*.o\n"),
        ("!/apps/web/dist/x", "!/dist/x\n"),
        ("apps/*/dist", "/dist\n"),
        ("apps/**/dist", "**/dist\n"),
        ("**/logs/x", "**/logs/x\n"),
        ("/apps/ios/dist", ""),
        ("/dist", ""),
        ("/apps/web", ""),
        ("/apps/web/", ""),
        ("/apps/web/*", ""),
        ("apps/**", ""),
        ("# apps/web/dist", ""),
    ],
)
@pytest.mark.parametrize("place", [".gitignore", ".git/info/exclude"])
def test_a_pattern_of_a_folder_above_means_what_it_means_there(
    tmp_path: Path, pattern: str, below: str, place: str
) -> None:
    (tmp_path / ".git" / "info").mkdir(parents=True)
    root = tmp_path / "apps" / "web"
    root.mkdir(parents=True)
    (tmp_path / place).write_text(f"{pattern}\n")
    assert excludes_of_project(root) == below


def test_nothing_counts_from_above_the_repository_nor_without_one(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (tmp_path / ".gitignore").write_text("x\n")
    assert excludes_of_project(root) == ""
    (root / ".git").mkdir()
    assert excludes_of_project(root) == ""


def test_the_nearer_file_is_the_later_one(tmp_path: Path) -> None:
    root = tmp_path / "a" / "b"
    (root / "c").mkdir(parents=True)
    (tmp_path / ".git" / "info").mkdir(parents=True)
    for folder, text in ((tmp_path, "top\n"), (root.parent, "middle\n"), (root, "read by git itself\n")):
        (folder / ".gitignore").write_text(text)
    (tmp_path / ".git" / "info" / "exclude").write_text("own\n")
    assert excludes_of_project(root) == "own\ntop\nmiddle\n"


def test_a_worktree_has_the_patterns_of_its_repository(tmp_path: Path) -> None:
    main, project = tmp_path / "main", tmp_path / "project"
    git = ["git", "-C", str(main), "-c", "user.name=t", "-c", "user.email=t@t"]
    subprocess.run(["git", "init", "-q", str(main)], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], check=True)
    subprocess.run([*git, "worktree", "add", "-q", str(project)], check=True)
    (main / ".git" / "info" / "exclude").write_text("*.secret\n/build/\n")
    assert excludes_of_project(project) == "*.secret\n/build/\n"


def test_what_is_named_from_above_is_neither_taken_nor_touched(tmp_path: Path) -> None:
    ground = Ground(tmp_path)
    (tmp_path / ".git" / "info").mkdir(parents=True)
    (tmp_path / ".git" / "info" / "exclude").write_text("*.secret\n")
    (tmp_path / ".gitignore").write_text("node_modules/\n/project/only_here\n")
    for name in ("node_modules/x", "a.secret", "only_here"):
        ground.write(name, b"1")
    ground.begin()
    shutil.rmtree(ground.root / "node_modules")
    ground.write("a.secret", b"2")
    (ground.root / "only_here").unlink()
    ground.end()
    with pytest.raises(UserFacingError, match="nothing_to_undo"):
        ground.undo()
