import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import strategies as st

from tests.random_examples import examples
from tests.session.snapshots.ground import CANCEL, Ground, Picture

BYTES = (b"", b"a\n", b"a\r\nb\r\n", b"a\rb", b"\xef\xbb\xbfa\n", b"\xff\xfea\x00", bytes(range(256)), b"$Id$ \x00")


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground(tmp_path)


def test_every_kind_of_content_and_name_comes_back_byte_for_byte(ground: Ground) -> None:
    names = ["a.txt", "ü 名.txt", "new\nline", "back\\slash", "git~1", "-dash", " lead", os.fsdecode(b"\xff\xfe")]
    for name, raw in zip(names, BYTES, strict=True):
        ground.write(f"d/{name}", raw)
    ground.write("run.sh", b"#!/bin/sh\n").chmod(0o755)
    (ground.root / "link").symlink_to("d/a.txt")
    (ground.root / "out").symlink_to("/etc/passwd")
    (ground.root / "empty" / "deep").mkdir(parents=True)
    ground.write(".gitattributes", b"* text eol=lf ident working-tree-encoding=UTF-16 filter=x\n[attr]y filter=x\n")
    before = ground.picture()
    ground.begin()
    shutil.rmtree(ground.root / "d")
    shutil.rmtree(ground.root / "empty")
    (ground.root / "run.sh").chmod(0o644)
    (ground.root / "link").unlink()
    (ground.root / "out").unlink()
    ground.write("out", b"a file now")
    ground.write("made/by/turn", b"1")
    (ground.root / "made" / "hollow").mkdir()
    ground.end()
    ground.undo()
    assert ground.picture() == before


def file_to_folder(root: Path) -> None:
    (root / "x").unlink()
    (root / "x").mkdir()
    (root / "x" / "in").write_bytes(b"in")


def empty_file_to_folder(root: Path) -> None:
    (root / "hollow").unlink()
    (root / "hollow").mkdir()
    (root / "hollow" / "in").write_bytes(b"")


def folder_to_file(root: Path) -> None:
    shutil.rmtree(root / "f")
    (root / "f").write_bytes(b"file")


def folder_to_link(root: Path) -> None:
    shutil.rmtree(root / "f")
    (root / "elsewhere").mkdir()
    (root / "elsewhere" / "y").write_bytes(b"not this")
    (root / "f").symlink_to("elsewhere")


def file_to_link(root: Path) -> None:
    (root / "x").unlink()
    (root / "x").symlink_to("f/y")


def renamed(root: Path) -> None:
    (root / "x").rename(root / "f" / "z")


def all_gone(root: Path) -> None:
    shutil.rmtree(root / "f")
    (root / "x").unlink()


SWAPS = [file_to_folder, empty_file_to_folder, folder_to_file, folder_to_link, file_to_link, renamed, all_gone]


@pytest.mark.parametrize("change", SWAPS, ids=lambda change: change.__name__)
@pytest.mark.parametrize("way", ["undo", "restore"])
def test_swaps_of_kind_are_taken_back_and_back_again(ground: Ground, change: Callable[[Path], None], way: str) -> None:
    ground.write("x", b"1")
    ground.write("hollow", b"")
    ground.write("f/y", b"2")
    before = ground.picture()
    ground.begin()
    change(ground.root)
    ground.end()
    after = ground.picture()
    if way == "undo":
        ground.undo()
    else:
        ground.restore("1")
    assert ground.picture() == before
    ground.restore("2")  # what was kept before the way back
    assert ground.picture() == after


def test_a_read_only_file_comes_back_and_stays_read_only(ground: Ground) -> None:
    path = ground.write("a", b"1")
    path.chmod(0o444)
    ground.begin()
    path.unlink()
    path.write_bytes(b"2")
    path.chmod(0o444)
    ground.end()
    ground.undo()
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"1", 0o444)


def test_a_link_in_the_way_is_replaced_and_never_written_through(ground: Ground) -> None:
    outside = ground.base / "outside"
    outside.mkdir()
    (outside / "y").write_bytes(b"theirs")
    ground.write("f/y", b"mine")
    ground.begin()
    shutil.rmtree(ground.root / "f")
    (ground.root / "f").symlink_to(outside)
    ground.end()
    ground.undo()
    assert (outside / "y").read_bytes() == b"theirs"
    assert ground.picture() == {"f/y": ("file", b"mine", False)}


@pytest.mark.parametrize("state", ["none", "unborn", "committed", "worktree"])
def test_it_needs_no_repository_and_leaves_one_as_it_is(ground: Ground, state: str) -> None:
    environ = {"PATH": os.environ["PATH"], "HOME": str(ground.base), "GIT_CONFIG_NOSYSTEM": "1"}

    def git(*arguments: str, folder: Path = ground.root) -> str:
        asked = ["git", "-c", "user.name=t", "-c", "user.email=t@t", *arguments]
        return subprocess.run(asked, cwd=folder, env=environ, check=True, capture_output=True, text=True).stdout

    ground.write("a", b"1")
    where = ground.root
    if state == "worktree":
        where = ground.base / "main"
        where.mkdir()
        ground.root.rename(ground.base / "old")
        git("init", "-q", folder=where)
        git("commit", "-q", "--allow-empty", "-m", "x", folder=where)
        git("worktree", "add", "-q", str(ground.root), folder=where)
        ground.write("a", b"1")
    elif state != "none":
        git("init", "-q")
    if state in ("committed", "worktree"):
        git("add", "-A")
        git("commit", "-qm", "x")
        ground.write("staged", b"s")
        git("add", "staged")
    own = [path for path in (where / ".git").rglob("*") if path.is_file()]
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in own}
    status = git("--no-optional-locks", "status", "--porcelain") if state != "none" else ""
    picture = ground.picture()
    ground.begin()
    ground.write("a", b"2")
    ground.write("b", b"2")
    ground.end()
    ground.undo()
    assert ground.picture() == picture
    now = [path for path in (where / ".git").rglob("*") if path.is_file()]
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in now} == before
    assert (git("--no-optional-locks", "status", "--porcelain") if state != "none" else "") == status


NAMES = st.sampled_from(["a", "b", "d/a", "d/b", "d/e/a", "d", "d/e", "b/c"])
CONTENTS = st.sampled_from([b"", b"1", b"2\r\n", b"\x00\xff"])
STEPS = st.lists(
    st.tuples(st.sampled_from(["write", "remove", "link", "folder", "mode", "turn", "person"]), NAMES, CONTENTS),
    min_size=1,
    max_size=8,
)


def carry_out(root: Path, kind: str, name: str, content: bytes) -> None:
    path = root / name
    for parent in list(path.parents)[::-1]:
        if parent.is_relative_to(root) and parent != root and (parent.is_symlink() or parent.is_file()):
            parent.unlink()
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "mode":
        if path.is_file() and not path.is_symlink():
            path.chmod(path.stat().st_mode ^ 0o111)
        return
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    path.unlink(missing_ok=True)
    match kind:
        case "write":
            path.write_bytes(content)
        case "link":
            path.symlink_to(content.decode("latin-1").replace("\x00", "") or "nowhere")
        case "folder":
            path.mkdir()
        case _:
            pass


@examples(8, allowed=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
@example(steps=[("write", "d", b""), ("turn", "a", b""), ("write", "d/a", b"")])
def test_whatever_was_done_each_snapshot_brings_its_tree_back(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, str, bytes]]
) -> None:
    ground = Ground(tmp_path_factory.mktemp("ground"))
    pictures: dict[str, Picture] = {}
    for kind, name, content in [("turn", "", b""), *steps]:
        if kind in ("turn", "person"):
            taken = ground.keeper.take(CANCEL)
            pictures[taken.snapshot] = ground.picture()
        else:
            carry_out(ground.root, kind, name, content)
    for number, picture in reversed(pictures.items()):
        ground.restore(number)
        assert ground.picture() == picture
