import errno
import os
import resource
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import pytest

from paicli.system.files import (
    FileChanged,
    FileContents,
    FileTooLarge,
    ReadOnlyPath,
    open_regular,
    read_contents,
    replace_file,
    write_new_file,
    write_state_file,
)
from paicli.system.folders import FileKind, FolderEntry, Missing, NotRegular, PathMoved, open_folder

LIMIT_BYTES = 1_000
REFUSALS = (FileChanged, NotADirectoryError, NotRegular, PathMoved)


SWAPPER = """
import os, sys
folder, outside, aside = sys.argv[1:]
for _ in range(1_500):
    os.rename(folder, aside)
    os.symlink(outside, folder)
    os.unlink(folder)
    os.rename(aside, folder)
"""


@contextmanager
def files_end_at(size_bytes: int) -> Iterator[None]:
    """As if the disk were full: no file can grow beyond it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def contents(base: Path, *parts: str) -> FileContents:
    return read_contents(base, parts, LIMIT_BYTES)


def test_a_file_is_read_whole_up_to_a_limit(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"x" * 1_000)
    assert contents(tmp_path, "f").raw == b"x" * 1_000
    with pytest.raises(FileTooLarge) as caught:
        read_contents(tmp_path, ("f",), 999)
    assert caught.value.size_bytes == 1_000


def test_no_link_is_followed_on_the_way(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "f").write_text("secret")
    base = tmp_path / "base"
    base.mkdir()
    (base / "folder").symlink_to(outside)
    (base / "file").symlink_to(outside / "f")
    for parts in (("folder", "f"), ("file",)):
        with pytest.raises(PathMoved):
            open_regular(base, parts)
        with pytest.raises(PathMoved):
            replace_file(base, parts, b"mine", was=contents(outside, "f"))
    with pytest.raises(PathMoved):
        replace_file(base, ("folder", "new", "f"), b"mine", was=None)
    assert os.listdir(outside) == ["f"]


def test_what_is_no_file_is_named_by_its_kind(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "p")
    (tmp_path / "d").mkdir()
    for parts, kind in ((("p",), FileKind.FIFO), (("d",), FileKind.FOLDER), ((), FileKind.FOLDER)):
        with pytest.raises(NotRegular) as caught:
            open_regular(tmp_path, parts)
        assert caught.value.kind is kind


def test_a_folder_tells_what_is_in_it(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("")
    (tmp_path / "d").mkdir()
    (tmp_path / "l").symlink_to("nowhere")
    os.mkfifo(tmp_path / "p")
    with open_folder(tmp_path, ()) as folder:
        assert sorted(folder.entries()) == [
            FolderEntry("d", FileKind.FOLDER),
            FolderEntry("f", FileKind.FILE),
            FolderEntry("l", FileKind.LINK),
            FolderEntry("p", FileKind.FIFO),
        ]
        assert folder.link_target("l") == "nowhere"


def test_missing_folders_are_made_only_when_asked(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        open_folder(tmp_path, ("a", "b"))
    open_folder(tmp_path, ("a", "b"), Missing.CREATE).close()
    assert (tmp_path / "a" / "b").is_dir()
    (tmp_path / "f").write_text("")
    with pytest.raises(NotADirectoryError):
        open_folder(tmp_path, ("f", "b"), Missing.CREATE)


def test_no_descriptor_is_left_open(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "l").symlink_to("a")
    before = len(os.listdir("/dev/fd"))
    for _ in range(5):
        replace_file(tmp_path, ("a", "f"), b"1", was=None)
        replace_file(tmp_path, ("a", "f"), b"2", was=contents(tmp_path, "a", "f"))
        for parts in (("l", "f"), ("a", "f", "g"), ("a",)):
            with pytest.raises(REFUSALS):
                replace_file(tmp_path, parts, b"3", was=None)
            with pytest.raises(REFUSALS):
                open_regular(tmp_path, parts)
        (tmp_path / "a" / "f").unlink()
    assert len(os.listdir("/dev/fd")) == before


def test_a_new_file_never_replaces_one_that_came_meanwhile(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("theirs")
    with pytest.raises(FileChanged):
        replace_file(tmp_path, ("f",), b"mine", was=None)
    assert ((tmp_path / "f").read_text(), os.listdir(tmp_path)) == ("theirs", ["f"])


def test_a_changed_or_vanished_file_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_text("old")
    was = contents(tmp_path, "f")
    path.write_text("new")
    with pytest.raises(FileChanged):
        replace_file(tmp_path, ("f",), b"mine", was=was)
    assert (path.read_text(), os.listdir(tmp_path)) == ("new", ["f"])
    path.unlink()
    with pytest.raises(FileChanged):
        replace_file(tmp_path, ("f",), b"mine", was=was)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("is_new", [True, False])
def test_a_full_disk_leaves_the_old_file_and_nothing_else(tmp_path: Path, is_new: bool) -> None:
    if not is_new:
        (tmp_path / "f").write_text("old")
    was = None if is_new else contents(tmp_path, "f")
    with files_end_at(100), pytest.raises(OSError, match="too large"):
        replace_file(tmp_path, ("f",), b"x" * 500, was=was)
    assert os.listdir(tmp_path) == ([] if is_new else ["f"])
    assert is_new or (tmp_path / "f").read_text() == "old"


KILLED = """
import os, sys
from pathlib import Path
from paicli.system.files import read_contents, replace_file
folder = Path(sys.argv[1])
was = read_contents(folder, ["f"], 1000) if sys.argv[2] == "old" else None
os.fsync = lambda fd: os._exit(9)
replace_file(folder, ["f"], b"new", was=was)
"""


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="elsewhere a file that is being written has a name")
@pytest.mark.parametrize("kind", ["old", "new"])
def test_a_kill_while_a_file_is_written_leaves_nothing_beside_it(tmp_path: Path, kind: str) -> None:
    if kind == "old":
        (tmp_path / "f").write_text("old")
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), kind], check=False)
    assert done.returncode == 9
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == ([("f", "old")] if kind == "old" else [])


@pytest.mark.parametrize("flag", [None, os.O_DIRECTORY])
def test_a_file_system_without_unnamed_files_is_written_to_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, flag: int | None
) -> None:
    monkeypatch.setattr("paicli.system.files._UNNAMED", flag)
    replace_file(tmp_path, ("f",), b"one", was=None)
    replace_file(tmp_path, ("f",), b"two", was=contents(tmp_path, "f"))
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("f", "two")]


def test_read_only_files_and_folders_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "f").write_text("x")
    was = contents(tmp_path, "d", "f")
    (tmp_path / "d" / "f").chmod(0o444)
    with pytest.raises(ReadOnlyPath) as caught:
        replace_file(tmp_path, ("d", "f"), b"y", was=was)
    assert caught.value.kind is FileKind.FILE
    (tmp_path / "d").chmod(0o555)
    with pytest.raises(ReadOnlyPath) as caught:
        replace_file(tmp_path, ("d", "f"), b"y", was=was)
    (tmp_path / "d").chmod(0o755)
    assert (caught.value.kind, os.listdir(tmp_path / "d")) == (FileKind.FOLDER, ["f"])


@pytest.mark.parametrize("new", [b"shorter", b"a longer content than before"])
def test_hard_links_see_the_new_content(tmp_path: Path, new: bytes) -> None:
    (tmp_path / "f").write_bytes(b"some old content")
    os.link(tmp_path / "f", tmp_path / "twin")
    replace_file(tmp_path, ("f",), new, was=contents(tmp_path, "f"))
    assert (tmp_path / "twin").read_bytes() == new
    assert (tmp_path / "f").stat().st_ino == (tmp_path / "twin").stat().st_ino


def test_readers_see_the_old_or_the_new_file_never_half_of_one(tmp_path: Path) -> None:
    replace_file(tmp_path, ("f",), b"a" * 900, was=None)
    done = threading.Event()
    seen: set[bytes] = set()

    def read() -> None:
        while not done.is_set():
            seen.add(contents(tmp_path, "f").raw)

    reader = threading.Thread(target=read)
    reader.start()
    for n in range(100):
        replace_file(tmp_path, ("f",), (b"b" if n % 2 == 0 else b"a") * 900, was=contents(tmp_path, "f"))
    done.set()
    reader.join()
    assert seen <= {b"a" * 900, b"b" * 900}


def test_a_folder_swapped_for_a_link_never_leads_outside(tmp_path: Path) -> None:  # C79
    base, outside, aside = tmp_path / "base", tmp_path / "outside", tmp_path / "aside"
    (base / "d").mkdir(parents=True)
    outside.mkdir()
    for folder in (base / "d", outside):
        (folder / "f").write_bytes(b"0")
    was = contents(base, "d", "f")
    outcomes: set[str] = set()
    n = 0
    # A process of its own: a thread here would hold the interpreter at always the same moments.
    with subprocess.Popen([sys.executable, "-I", "-c", SWAPPER, base / "d", outside, aside]) as swapper:
        while swapper.poll() is None:
            n += 1
            try:
                replace_file(base, ("d", "f"), b"%d" % n, was=was)
                was = was._replace(raw=b"%d" % n)
                outcomes.add("written")
            except OSError as error:
                outcomes.add(type(error).__name__)
    assert ((outside / "f").read_bytes(), os.listdir(outside)) == (b"0", ["f"])
    assert (base / "d" / "f").read_bytes() == was.raw
    assert outcomes <= {"written", "PathMoved", "FileNotFoundError"}
    assert "written" in outcomes


def test_state_files_are_private_and_whole(tmp_path: Path) -> None:  # R8
    path = tmp_path / "deep" / "state.json"
    write_state_file(path, b"1")
    write_state_file(path, b"22")
    assert (path.read_bytes(), path.stat().st_mode & 0o777, os.listdir(path.parent)) == (b"22", 0o600, ["state.json"])
    assert path.parent.stat().st_mode & 0o777 == 0o700
    with files_end_at(10), pytest.raises(OSError, match="too large"):
        write_state_file(path, b"x" * 100)
    assert (path.read_bytes(), os.listdir(path.parent)) == (b"22", ["state.json"])


def test_a_new_file_is_private_and_touches_nothing_that_stands_there(tmp_path: Path) -> None:
    path, link = tmp_path / "new", tmp_path / "link"
    write_new_file(path, "1\ud800")
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"1?", 0o600)
    link.symlink_to(tmp_path / "elsewhere")
    for taken in (path, link):
        with pytest.raises(FileExistsError):
            write_new_file(taken, "2")
    assert (path.read_bytes(), (tmp_path / "elsewhere").exists()) == (b"1?", False)
    with pytest.raises(OSError, match="null"):
        write_new_file(Path(f"{tmp_path}/a\0b"), "3")


def test_a_new_file_that_the_disk_does_not_take_is_not_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int, mode: str) -> BinaryIO:
        os.close(handle)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fdopen", full)
    with pytest.raises(OSError, match="No space"):
        write_new_file(tmp_path / "new", "x")
    assert list(tmp_path.iterdir()) == []
