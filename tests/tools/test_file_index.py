import os
import threading
from pathlib import Path

import pytest

from paicli.policy.path_guard import PathGuard
from paicli.tools.search.folder_names import Programs, guarded_names, shell_names
from paicli.tools.search.index import FileIndex, IndexedPath
from tests.patience import PATIENCE_S


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def put(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")


def settle(root: Path) -> None:
    """Everything was made long ago."""
    for path in (root, *root.rglob("*")):
        os.utime(path, (1_000, 1_000), follow_symlinks=False)


def built(index: FileIndex) -> FileIndex:
    thread = index.prepare()
    if thread is not None:
        thread.join(PATIENCE_S)
    return index


def found(index: FileIndex, typed: str, limit: int = 20) -> list[str]:
    return [entry.path + "/" * entry.is_folder for entry in index.find(typed, limit)]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    put(
        tmp_path,
        "README.md",
        "src/paicli/ui/live/composer.py",
        "src/paicli/ui/compass.py",
        "src/paicli/agent/composition.py",
        "docs/组合 说明.md",
        ".git/config",
        "build/out.py",
        "notes.log",
        "keep.log",
    )
    (tmp_path / ".gitignore").write_text("build/\n*.log\n!keep.log\n")
    os.mkfifo(tmp_path / "pipe")
    return tmp_path


@pytest.mark.parametrize(
    ("typed", "paths"),
    [
        ("read", ["README.md"]),
        ("./READ", ["README.md"]),
        ("comp", ["src/paicli/ui/compass.py", "src/paicli/agent/composition.py", "src/paicli/ui/live/composer.py"]),
        ("ui/comp", ["src/paicli/ui/compass.py", "src/paicli/ui/live/composer.py"]),
        ("ui/cmp", ["src/paicli/ui/compass.py", "src/paicli/ui/live/composer.py"]),
        ("src/paicli/ag", ["src/paicli/agent/", "src/paicli/agent/composition.py"]),
        ("cmpn", ["src/paicli/agent/composition.py"]),
        ("live/", ["src/paicli/ui/live/composer.py"]),
        ("说明", ["docs/组合 说明.md"]),
        ("docs/组", ["docs/组合 说明.md"]),
        ("out.py", []),
        (".log", ["keep.log"]),
        ("config", []),
        ("pipe", []),  # C31
        ("nothing like it", []),
        ("[", []),
        ("^\\", []),
    ],
)
def test_paths_are_found_by_name_by_parts_and_by_letters(root: Path, typed: str, paths: list[str]) -> None:
    assert found(built(FileIndex(PathGuard(root))), typed) == paths


def test_more_letters_narrow_what_fewer_found_and_fewer_widen_it_again(root: Path) -> None:
    index = built(FileIndex(PathGuard(root)))
    fresh = built(FileIndex(PathGuard(root)))
    for typed in ("c", "co", "com", "comp", "compx", "comp", "co", "cmp", "cmpr", "ui", "ui/", "ui/c", "x"):
        assert found(index, typed) == found(fresh, typed), typed
        fresh = built(FileIndex(PathGuard(root)))


def test_an_index_is_built_again_after_a_while_and_only_then(root: Path) -> None:
    clock = Clock()
    index = built(FileIndex(PathGuard(root), clock=clock))
    put(root, "src/new.py")
    assert (found(index, "new.py"), index.prepare()) == ([], None)
    clock.now = 10.0
    assert found(built(index), "new.py") == ["src/new.py"]


@pytest.mark.parametrize(
    ("change", "typed", "paths"),
    [
        (lambda root: put(root, "src/paicli/new.py"), "new.py", ["src/paicli/new.py"]),
        (lambda root: (root / "keep.log").unlink(), "keep", []),
        (lambda root: (root / "README.md").rename(root / "docs" / "README.md"), "readme", ["docs/README.md"]),
        (lambda root: (root / ".gitignore").write_text(""), "out.py", ["build/out.py"]),
        (lambda root: (root / "src" / ".gitignore").write_text("live\n"), "composer", []),
    ],
)
def test_changes_are_seen_though_unchanged_folders_are_not_read_again(
    root: Path, change: object, typed: str, paths: list[str]
) -> None:
    settle(root)
    clock = Clock()
    index = built(FileIndex(PathGuard(root), clock=clock))
    clock.now = 10.0
    assert callable(change)
    change(root)
    assert found(built(index), typed) == paths


def test_the_first_search_of_all_waits_for_the_index_to_grow(root: Path) -> None:
    assert found(FileIndex(PathGuard(root)), "composer") == ["src/paicli/ui/live/composer.py"]
    assert found(FileIndex(PathGuard(root)), "nothing like it") == []
    assert found(FileIndex(PathGuard(root / "none")), "x") == []


def test_a_search_that_takes_too_long_gives_what_it_has(root: Path) -> None:
    class Racing(Clock):
        def __call__(self) -> float:
            self.now += 1.0
            return self.now

    index = FileIndex(PathGuard(root), clock=Racing())
    built(index)
    assert found(index, "zzz") == []


def test_many_threads_may_ask_at_once(root: Path) -> None:
    index = built(FileIndex(PathGuard(root)))
    answers: list[list[str]] = []
    threads = [
        threading.Thread(target=lambda typed=typed: answers.append(found(index, typed))) for typed in ["c", "co"] * 8
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_S)
    assert all(answer and all("co" in path or "c" in path for path in answer) for answer in answers)
    assert len(answers) == 16


def test_links_that_lead_out_are_no_way_into_other_folders(root: Path) -> None:  # C79
    (root.parent / "outside").mkdir(exist_ok=True)
    put(root.parent / "outside", "secret.txt")
    (root / "link").symlink_to(root.parent / "outside")
    assert found(built(FileIndex(PathGuard(root))), "secret") == []
    assert guarded_names(PathGuard(root), "link/", 9) == []
    assert guarded_names(PathGuard(root), "../", 9) == []


def test_a_folder_that_is_named_is_listed_even_when_it_is_ignored(root: Path) -> None:
    assert guarded_names(PathGuard(root), "build/", 9) == [IndexedPath("build/out.py", False)]
    assert guarded_names(PathGuard(root), "SRC", 9) == [IndexedPath("src", True)]
    assert guarded_names(PathGuard(root), ".gi", 9) == [IndexedPath(".gitignore", False)]


def test_a_command_is_completed_wherever_it_may_look(root: Path, tmp_path: Path) -> None:
    assert shell_names(root, f"{tmp_path}/READ", 9) == [IndexedPath(f"{tmp_path}/README.md", False)]
    assert shell_names(root, "docs/", 9) == [IndexedPath("docs/组合 说明.md", False)]
    assert shell_names(root, "none/", 9) == []
    assert shell_names(root, "a\0b/", 9) == []


def test_programs_are_the_executable_files_of_the_path(tmp_path: Path) -> None:
    put(tmp_path, "bin/tool-a", "bin/tool-b", "bin/notes", "other/tool-a")
    for name in ("bin/tool-a", "bin/tool-b", "other/tool-a"):
        (tmp_path / name).chmod(0o755)
    (tmp_path / "bin" / "tool-folder").mkdir()
    programs = Programs([str(tmp_path / "bin"), str(tmp_path / "other"), str(tmp_path / "none")])
    assert programs.starting_with("tool", 9) == ["tool-a", "tool-b"]
    assert programs.starting_with("", 1) == ["tool-a"]
