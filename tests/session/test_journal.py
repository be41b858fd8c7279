import errno
import json
import os
import stat
from pathlib import Path

import pytest

from paicli.core.errors import SettingsError
from paicli.core.event_bodies.plans import RoundCommitted
from paicli.core.event_stream import EventStream
from paicli.core.events import (
    DeltaKind,
    MessageAppended,
    ModelDelta,
    Notice,
    Origin,
    SessionFinished,
    TurnFinished,
    TurnStatus,
)
from paicli.core.faults import Fault
from paicli.core.masking import SecretMasker
from paicli.core.messages import UserMessage
from paicli.session.folder import new_session_id, open_session_folder, project_key
from paicli.session.journal import Journal
from paicli.session.results import ResultFiles


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_every_event_but_deltas_is_a_line_at_once(tmp_path: Path) -> None:
    stream = EventStream("s1", clock=lambda: 5.0)
    journal = Journal(tmp_path / "s1.jsonl", masker=SecretMasker(["sk-canary-1"]))
    stream.subscribe(journal)
    stream.publish(MessageAppended(UserMessage("key sk-canary-1, \ud83d, 你好")), Origin("turn_1", "react"))
    stream.publish(ModelDelta(DeltaKind.TEXT, "x"), Origin("turn_1", "react"))
    stream.publish(TurnFinished(TurnStatus.COMPLETED, "done"), Origin("turn_1"))
    lines = [json.loads(line) for line in (tmp_path / "s1.jsonl").read_bytes().splitlines()]
    assert lines[0] == {"type": "journal", "version": 1}
    assert [(line["seq"], line["type"]) for line in lines[1:]] == [(1, "message_appended"), (3, "turn_finished")]
    assert lines[1]["message"]["content"] == "key ***, \ufffd, 你好"  # C51
    journal.close()
    stream.publish(Notice(Fault("after")), Origin())
    assert len((tmp_path / "s1.jsonl").read_bytes().splitlines()) == 3


def test_folders_are_0700_and_files_0600_under_any_umask(tmp_path: Path) -> None:
    previous = os.umask(0o000)
    try:
        folder = open_session_folder(tmp_path / "home", Path("/w/proj"), new_session_id())
        Journal(folder.journal, masker=SecretMasker()).close()
        stored = ResultFiles(folder.results).save("web fetch/..", "text \ud83d")
    finally:
        os.umask(previous)
    assert mode(tmp_path / "home") == mode(folder.journal.parent) == mode(folder.results) == 0o700
    assert mode(folder.journal) == mode(stored) == 0o600
    assert stored.parent == folder.results
    assert stored.read_bytes() == b"text ?"


def test_a_home_that_is_no_folder_is_a_settings_error(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")
    with pytest.raises(SettingsError) as caught:
        open_session_folder(tmp_path / "home", Path("/w/proj"), "x")
    assert caught.value.code == "settings.home_unwritable"


def test_projects_whose_names_read_alike_have_folders_of_their_own() -> None:
    keys = {project_key(Path(path)) for path in ("/w/a b", "/w/a-b", "/w/a/b", "/w/项目", "/")}
    assert len(keys) == 5
    assert all(key.isascii() and "/" not in key for key in keys)


def test_a_full_disk_stops_the_journal_and_not_the_session() -> None:
    heard: list[OSError] = []
    journal = Journal(Path("/dev/full"), masker=SecretMasker(), on_fault=heard.append)
    stream = EventStream("s")
    stream.subscribe(journal)
    stream.publish(SessionFinished(), Origin())
    assert [error.errno for error in heard] == [errno.ENOSPC]
    journal.close()


def test_a_line_that_a_crash_cut_stays_alone(tmp_path: Path) -> None:
    path = tmp_path / "s1.jsonl"
    path.write_bytes(b'{"type":"journal","version":1}\n{"seq":1,"ty')
    Journal(path, masker=SecretMasker()).close()
    Journal(path, masker=SecretMasker()).close()
    header = b'{"type":"journal","version":1}'
    assert path.read_bytes().splitlines() == [header, b'{"seq":1,"ty', header, header]


def test_ends_of_rounds_turns_and_the_session_are_on_disk_and_with_them_the_folders_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[str] = []
    monkeypatch.setattr(
        os, "fsync", lambda file: synced.append("folder" if stat.S_ISDIR(os.fstat(file)[0]) else "file")
    )
    journal = Journal(tmp_path / "s1.jsonl", masker=SecretMasker())
    stream = EventStream("s1")
    stream.subscribe(journal)
    stream.publish(MessageAppended(UserMessage("hi")), Origin("turn_1"))
    assert synced == []
    stream.publish(RoundCommitted(("task_1",), (), 1.0), Origin("turn_1"))
    assert synced == ["file", "folder"]
    stream.publish(TurnFinished(TurnStatus.COMPLETED, "done"), Origin("turn_1"))
    stream.publish(SessionFinished(), Origin())
    assert synced == ["file", "folder", "file", "file"]
    journal.close()


def test_a_disk_that_fails_at_the_sync_stops_the_journal_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(file: int) -> None:
        raise OSError(errno.EIO, "I/O error")

    heard: list[OSError] = []
    journal = Journal(tmp_path / "s1.jsonl", masker=SecretMasker(), on_fault=heard.append)
    stream = EventStream("s1")
    stream.subscribe(journal)
    monkeypatch.setattr(os, "fsync", fail)
    for _ in range(2):
        stream.publish(SessionFinished(), Origin())
    assert [error.errno for error in heard] == [errno.EIO]
    assert len((tmp_path / "s1.jsonl").read_bytes().splitlines()) == 2
    journal.close()


def test_results_of_an_earlier_run_of_the_session_stay(tmp_path: Path) -> None:
    first = ResultFiles(tmp_path / "results").save("grep_code", "one")
    second = ResultFiles(tmp_path / "results").save("grep_code", "two")
    assert (first.read_text(), second.read_text()) == ("one", "two")
    assert [first.name, second.name] == ["001-grep_code.txt", "002-grep_code.txt"]


def test_a_journal_that_is_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "s1.jsonl").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(SettingsError):
        Journal(tmp_path / "s1.jsonl", masker=SecretMasker())
    assert not (tmp_path / "elsewhere").exists()


def test_a_line_that_the_system_takes_piece_by_piece_is_written_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda file, raw: write(file, bytes(raw)[:7]))
    Journal(tmp_path / "s1.jsonl", masker=SecretMasker()).close()
    assert (tmp_path / "s1.jsonl").read_bytes() == b'{"type":"journal","version":1}\n'


def test_a_journal_that_was_removed_meanwhile_is_told_of_at_the_turns_end(tmp_path: Path) -> None:
    heard: list[OSError] = []
    journal = Journal(tmp_path / "s1.jsonl", masker=SecretMasker(), on_fault=heard.append)
    journal.path.unlink()
    stream = EventStream("s1")
    stream.subscribe(journal)
    stream.publish(TurnFinished(TurnStatus.COMPLETED, ""), Origin("turn_1"))
    stream.publish(TurnFinished(TurnStatus.COMPLETED, ""), Origin("turn_1"))
    journal.close()
    assert [error.errno for error in heard] == [errno.ENOENT]
    assert list(tmp_path.iterdir()) == []
