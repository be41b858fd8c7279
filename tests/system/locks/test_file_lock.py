# C74: one writer at a time, and nobody waits for a dead one.
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from paicli.system.files import write_state_file
from paicli.system.line_files import append_line
from paicli.system.locks.file_lock import LockHeld, locked, temporary_name
from tests.patience import PATIENCE_S

HOLDER = """
import sys
from pathlib import Path
from paicli.system.locks.file_lock import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.readline()
"""


def holder_of(path: Path) -> subprocess.Popen[bytes]:
    """Another process that holds the lock until it is told a line, or killed."""
    process = subprocess.Popen([sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    return process


def end(process: subprocess.Popen[bytes]) -> None:
    process.communicate(b"\n", timeout=PATIENCE_S)


def test_a_lock_that_another_process_keeps_is_waited_for_only_so_long(tmp_path: Path) -> None:
    path = tmp_path / "state"
    other = holder_of(path)
    try:
        with pytest.raises(LockHeld) as raised, locked(path, timeout_s=0.05):
            pass
        assert (raised.value.filename, raised.value.strerror) == (str(path), "another process is changing it")
    finally:
        end(other)
    with locked(path, timeout_s=0):  # the wait that was given up left nothing behind
        pass


def test_a_lock_that_comes_free_in_time_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "state"
    other = holder_of(path)
    threading.Thread(target=end, args=(other,)).start()
    with locked(path, timeout_s=10):
        write_state_file(path, b"mine")
        with pytest.raises(LockHeld), locked(path, timeout_s=0):
            pass
    assert path.read_bytes() == b"mine"


def test_a_killed_process_holds_up_nobody_and_its_temporary_file_goes(tmp_path: Path) -> None:
    path = tmp_path / "state"
    other = holder_of(path)
    kept = [".state.lock", ".other.0123456789abcdef.tmp", ".state.tmp", "notes.tmp"]
    for name in (*kept, temporary_name("state")):
        (tmp_path / name).touch()
    os.kill(other.pid, signal.SIGKILL)
    other.communicate(timeout=PATIENCE_S)
    with locked(path, timeout_s=0.5):
        assert sorted(entry.name for entry in tmp_path.iterdir()) == sorted(kept)


def test_a_lock_file_of_a_dead_process_is_none(tmp_path: Path) -> None:
    (tmp_path / ".state.lock").write_text("999999")
    with locked(tmp_path / "state", timeout_s=0):
        pass


def test_a_link_in_the_place_of_the_lock_file_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / ".state.lock").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="symbolic"), locked(tmp_path / "state"):
        pass
    assert not (tmp_path / "elsewhere").exists()


def test_a_folder_is_locked_without_a_file_of_its_own(tmp_path: Path) -> None:
    with locked(tmp_path):
        with pytest.raises(LockHeld), locked(tmp_path, timeout_s=0):
            pass
        assert list(tmp_path.iterdir()) == []


def test_a_line_is_not_appended_to_a_file_that_another_keeps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "lines"
    append_line(path, b"one")
    keeper = """
import fcntl, sys
file = open(sys.argv[1])
fcntl.flock(file, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.readline()
"""
    other = subprocess.Popen([sys.executable, "-c", keeper, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert other.stdout is not None
    assert other.stdout.readline() == b"held\n"
    monkeypatch.setattr("paicli.system.line_files.WAIT_S", 0.05)
    with pytest.raises(LockHeld):
        append_line(path, b"two")
    end(other)
    append_line(path, b"three")
    assert path.read_bytes() == b"one\nthree\n"
