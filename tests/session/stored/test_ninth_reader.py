# C74: eight processes write their sessions, one of them is killed, and a ninth reads all the time.
import os
import signal
import subprocess
import sys
from pathlib import Path

from evals.e1_replay import Unjudgeable, check, read_journal

from paicli.session.stored.finding import list_sessions
from paicli.session.stored.reading import StoredSession, read_session

WRITERS, TURNS = 8, 60
WRITE = """
import sys
from pathlib import Path
from tests.session.stored.samples import STARTED, Written, appended
from paicli.core.messages import AssistantMessage, UserMessage

session = Written(Path(sys.argv[1]))
session.say(STARTED)
print(flush=True)
for number in range(1, int(sys.argv[2]) + 1):
    session.begin(number, f"turn {number}")
    session.say(*appended(UserMessage("x" * 900), AssistantMessage("一" * 900)), turn=f"turn_{number}", actor="react")
    session.end(number)
sys.stdin.read() if sys.argv[3] == "stays" else None
session.close()
"""


def start(journal: Path, ending: str) -> subprocess.Popen[bytes]:
    arguments = [sys.executable, "-c", WRITE, str(journal), str(TURNS), ending]
    root = Path(__file__).parents[3]
    return subprocess.Popen(arguments, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def read_all(folder: Path) -> list[StoredSession]:
    """As `paicli sessions`, a resume and `paicli verify` read: whatever stands there now."""
    list_sessions(folder)
    stored = [read_session(path) for path in sorted(folder.glob("*.jsonl"))]
    for session in stored:
        assert [event.seq for event in session.events] == list(range(1, len(session.events) + 1))
        assert len(session.damaged_lines) <= 1  # the one that is being written
        try:
            assert check(read_journal(session.path.read_text(encoding="utf-8", errors="replace"))) == []
        except Unjudgeable:
            assert not session.events  # it has just been made
    return stored


def test_each_read_of_a_session_that_is_being_written_parses(tmp_path: Path) -> None:
    names = [tmp_path / f"2030010{number}-000000-abcdef.jsonl" for number in range(WRITERS)]
    writers = [start(path, "stays" if path is names[0] else "ends") for path in names]
    try:
        for writer in writers:
            assert writer.stdout is not None
            writer.stdout.readline()
            read_all(tmp_path)
        os.kill(writers[0].pid, signal.SIGKILL)
        while any(writer.poll() is None for writer in writers):
            read_all(tmp_path)
    finally:
        for writer in writers:
            writer.kill()
            writer.communicate()
    stored = read_all(tmp_path)
    assert [len(session.events) for session in stored[1:]] == [1 + 4 * TURNS] * (WRITERS - 1)
    assert [writer.returncode for writer in writers] == [-signal.SIGKILL] + [0] * (WRITERS - 1)
    assert {row.turn_count for row in list_sessions(tmp_path) if row.journal != names[0]} == {TURNS}
