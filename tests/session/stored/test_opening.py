import os
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from paicli.core.errors import SessionNotFound
from paicli.core.events import MessageAppended, SessionForked
from paicli.core.messages import UserMessage
from paicli.session.journal import JournalTaken, open_journal
from paicli.session.stored.conversation import rebuilt
from paicli.session.stored.opening import fork_stored, open_moved, open_stored
from paicli.session.stored.reading import read_session
from paicli.session.stored.restored import restored_state
from tests.session.stored.samples import STARTED, Written

TORN = b'{"seq":4,"time":1.0,"session_id":"s1","type":"message_appended","message":{"content":"hal'


def written(folder: Path, *texts: str) -> Path:
    session = Written(folder / "s1.jsonl")
    session.say(STARTED)
    add(session, *texts)
    session.close()
    return folder / "s1.jsonl"


def add(session: Written, *texts: str) -> None:
    session.say(*(MessageAppended(UserMessage(text)) for text in texts), turn="turn_1", actor="react")


def texts_of(journal: Path) -> list[str]:
    return [message.content for message in rebuilt(read_session(journal).events).messages]


def test_lines_that_can_not_be_kept_aside_are_told_of_where_they_stand(tmp_path: Path) -> None:  # C72
    journal = written(tmp_path, "one")
    with journal.open("ab") as file:
        file.write(TORN)
    (tmp_path / "s1.damaged").mkdir()  # as a full disk would: nothing can be written there
    opened = open_stored(journal)
    os.close(opened.file)
    assert (opened.damaged_count, opened.damaged_file) == (1, journal)


def test_a_torn_last_line_is_kept_aside_and_costs_nothing_that_is_written_after_it(tmp_path: Path) -> None:  # C72
    journal = written(tmp_path, "one", "two")
    with journal.open("ab") as file:
        file.write(TORN)
    first = open_stored(journal)
    assert first.damaged_count == 1
    assert (tmp_path / "s1.damaged").read_bytes() == TORN + b"\n"
    assert (tmp_path / "s1.damaged").stat().st_mode & 0o777 == 0o600
    os.close(first.file)
    session = Written(journal, after_seq=first.stored.last_seq)
    add(session, "three")
    session.close()
    again = open_stored(journal)
    os.close(again.file)
    assert texts_of(journal) == ["one", "two", "three"]
    assert [event.seq for event in again.stored.events] == [1, 2, 3, 4]
    assert again.damaged_count == 0  # it was told of
    assert TORN in journal.read_bytes()  # never rewritten


def test_a_session_that_is_brought_here_is_a_copy_which_knows_its_project_and_its_results(tmp_path: Path) -> None:
    old = tmp_path / "sessions" / "old"
    old.mkdir(parents=True)
    journal = written(old, "one")
    with journal.open("ab") as file:
        file.write(TORN)
    before = journal.read_bytes()
    (old / "s1.results").mkdir()
    moved = open_moved(journal, tmp_path, tmp_path / "new")
    assert moved.forked == SessionForked("s1", 2, str(tmp_path / "new"))
    assert time.time() - 60 < moved.origins["s1"] <= time.time()
    assert (moved.damaged_count, moved.damaged_file) == (1, old / "s1.damaged")
    os.close(moved.file)
    session = Written(moved.folder.journal, after_seq=2)
    session.say(SessionForked("s1", 2, str(tmp_path / "new")))
    session.close()
    again = open_stored(moved.folder.journal)
    os.close(again.file)
    assert again.origins == {"s1": 1_000.0}
    assert again.earlier_results == moved.earlier_results == (old / "s1.results",)
    assert restored_state(again.stored.events).project == str(tmp_path / "new")
    assert texts_of(moved.folder.journal) == ["one"]
    assert journal.read_bytes() == before


@pytest.mark.parametrize("raw", [b"", b"\xef\xbb\xbf"])
def test_an_empty_journal_goes_on_as_an_empty_session(tmp_path: Path, raw: bytes) -> None:  # C72
    (tmp_path / "s1.jsonl").write_bytes(raw)
    opened = open_stored(tmp_path / "s1.jsonl")
    assert (opened.stored.events, opened.damaged_count, opened.forked) == ((), 0, None)
    os.close(opened.file)
    session = Written(tmp_path / "s1.jsonl")
    add(session, "one")
    session.close()
    assert texts_of(tmp_path / "s1.jsonl") == ["one"]


def test_a_second_start_of_one_session_goes_on_in_a_copy(tmp_path: Path) -> None:  # C74
    journal = written(tmp_path, "one")
    first = open_stored(journal)
    before = journal.read_bytes()
    second = open_stored(journal)
    assert (first.forked, first.is_busy) == (None, False)
    assert (second.forked, second.is_busy) == (SessionForked("s1", 2), True)
    assert second.folder.journal != journal
    assert second.folder.journal.stat().st_mode & 0o777 == 0o600
    assert second.stored.events == first.stored.events
    assert journal.read_bytes() == before
    assert second.earlier_results == (tmp_path / "s1.results",)
    with pytest.raises(JournalTaken):
        open_journal(second.folder.journal)
    os.close(first.file)
    os.close(second.file)


def test_a_writer_that_was_killed_holds_nothing(tmp_path: Path) -> None:  # C74
    journal = written(tmp_path, "one")
    program = f"""
        import os, signal
        from pathlib import Path
        from paicli.session.journal import open_journal
        open_journal(Path({str(journal)!r}))
        os.kill(os.getpid(), signal.SIGKILL)
    """
    killed = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], check=False)
    assert killed.returncode == -9
    opened = open_stored(journal)
    assert opened.forked is None
    os.close(opened.file)


def test_a_fork_takes_over_what_is_whole_and_nothing_else(tmp_path: Path) -> None:
    journal = written(tmp_path, "one", "two")
    with journal.open("ab") as file:
        file.write(TORN + b"\0\n" + TORN)
    raw = journal.read_bytes()
    forked = fork_stored(journal)
    os.close(forked.file)
    assert journal.read_bytes() == raw
    assert texts_of(forked.folder.journal) == ["one", "two"]
    assert read_session(forked.folder.journal).skipped_lines == 0
    assert forked.damaged_count == 2


def test_a_journal_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(SessionNotFound):
        open_stored(tmp_path / "s1.jsonl")
    assert list(tmp_path.iterdir()) == []


APPENDS = """
    import sys
    from pathlib import Path
    from tests.session.stored.samples import STARTED, Written
    from tests.session.stored.test_opening import add
    session = Written(Path(sys.argv[1]), after_seq=int(sys.argv[2]))
    print("go", flush=True)
    for number in range(200):
        add(session, f"{number} " + "x" * 3_000)
    print("end", flush=True)
"""


def test_kill_9_in_the_midst_of_appends_costs_at_most_the_line_that_was_being_written(tmp_path: Path) -> None:  # C72
    journal = tmp_path / "s1.jsonl"
    whole: list[str] = []
    for size_bytes in (20_000, 90_000, 300_000):
        last = max((event.seq for event in read_session(journal).events), default=0) if journal.exists() else 0
        writer = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(APPENDS), str(journal), str(last)],
            stdout=subprocess.PIPE,
            cwd=Path(__file__).parents[3],
        )
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"go\n"
        while writer.poll() is None and journal.stat().st_size < size_bytes:
            pass
        writer.kill()
        writer.wait()
        writer.stdout.close()
        opened = open_stored(journal)
        os.close(opened.file)
        texts = texts_of(journal)
        assert opened.forked is None
        assert texts[: len(whole)] == whole
        added = texts[len(whole) :]
        assert [text.split(" ")[0] for text in added] == [str(number) for number in range(len(added))]
        whole = texts
    assert len(whole) > 20


FULL_DISK = """
    import resource, signal, sys
    from pathlib import Path
    from paicli.core.masking import SecretMasker
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))
    from tests.session.stored.samples import Written
    from tests.session.stored.test_opening import add
    session = Written(Path(sys.argv[1]))
    for number in range(50):
        add(session, f"{number} " + "x" * 3_000)
    print(type(session.journal.fault).__name__)
"""


def test_a_disk_that_is_full_is_told_and_what_is_on_it_can_be_read(tmp_path: Path) -> None:  # C72
    journal = tmp_path / "s1.jsonl"
    program = [sys.executable, "-c", textwrap.dedent(FULL_DISK), str(journal)]
    done = subprocess.run(program, cwd=Path(__file__).parents[3], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "OSError\n"), done.stderr
    assert [text.split(" ")[0] for text in texts_of(journal)] == ["0", "1", "2", "3", "4", "5"]
    opened = open_stored(journal)
    os.close(opened.file)
    session = Written(journal, after_seq=opened.stored.last_seq)
    add(session, "there is room again")
    session.close()
    assert texts_of(journal)[-1] == "there is room again"
    assert opened.damaged_count == 1
