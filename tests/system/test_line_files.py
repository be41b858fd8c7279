import multiprocessing
import os
import stat
import threading
from pathlib import Path

import pytest

from paicli.system.line_files import append_line, read_lines
from tests.patience import PATIENCE_S


def append_many(path: Path, writer: int) -> None:
    for number in range(50):
        append_line(path, f"{writer}:{number}:{'x' * 6_000}".encode())


def test_eight_processes_at_once_lose_no_line_and_tear_none(tmp_path: Path) -> None:
    path = tmp_path / "history" / "p"
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=append_many, args=(path, writer)) for writer in range(8)]
    for process in writers:
        process.start()
    for process in writers:
        process.join(PATIENCE_S)

    lines = read_lines(path, 10_000_000)
    expected = {f"{writer}:{number}:{'x' * 6_000}".encode() for writer in range(8) for number in range(50)}
    assert (len(lines), set(lines)) == (400, expected)
    for writer in range(8):
        numbers = [int(line.split(b":")[1]) for line in lines if line.startswith(b"%d:" % writer)]
        assert numbers == list(range(50))


def test_the_file_is_the_users_alone_even_if_it_was_not(tmp_path: Path) -> None:
    path = tmp_path / "new" / "file"
    append_line(path, b"a")
    assert (stat.S_IMODE(path.stat().st_mode), stat.S_IMODE(path.parent.stat().st_mode)) == (0o600, 0o700)
    path.chmod(0o644)
    append_line(path, b"b")
    assert (stat.S_IMODE(path.stat().st_mode), path.read_bytes()) == (0o600, b"a\nb\n")


def test_a_line_that_a_crash_cut_does_not_take_the_next_with_it(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"whole\ncut of")
    append_line(path, b"next")
    assert read_lines(path, 1_000) == [b"whole", b"cut of", b"next"]


def test_only_whole_lines_within_the_limit_are_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"first\nsecond\nthird\n")
    assert read_lines(path, 10) == [b"third"]


def test_a_pipe_in_its_place_is_an_error_and_no_wait(tmp_path: Path) -> None:  # C31
    path = tmp_path / "file"
    os.mkfifo(path)
    failed = threading.Event()

    def use() -> None:
        with pytest.raises(OSError, match="regular"):
            read_lines(path, 10)
        with pytest.raises(OSError, match="regular"):
            append_line(path, b"a")
        failed.set()

    threading.Thread(target=use, daemon=True).start()
    assert failed.wait(PATIENCE_S)
