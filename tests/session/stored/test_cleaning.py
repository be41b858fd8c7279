import os
from pathlib import Path

import pytest

from paicli.session.journal import open_journal
from paicli.session.stored.cleaning import clean_storage

DAY_S = 86_400
NOW = 100 * DAY_S
OLD, NEW = NOW - 31 * DAY_S, NOW - 29 * DAY_S


def made(path: Path, changed_at: float) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"x\n")
    os.utime(path, (changed_at, changed_at))
    return path


def folder_of(path: Path, changed_at: float) -> Path:
    made(path / "001-a.txt", changed_at)
    os.utime(path, (changed_at, changed_at))
    return path


def clean(home: Path, current: Path, keep_days: int = 30) -> list[str]:
    removed = clean_storage(home, keep_days=keep_days, current=current, now=lambda: NOW)
    return sorted(str(path.relative_to(home)) for path in removed)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    for name, changed_at in (("old", OLD), ("new", NEW), ("mixed", OLD), ("current", OLD)):
        made(tmp_path / f"sessions/p1/{name}.jsonl", changed_at)
        made(tmp_path / f"sessions/p1/{name}.damaged", changed_at)
        folder_of(tmp_path / f"sessions/p1/{name}.results", NEW if name == "mixed" else changed_at)
    folder_of(tmp_path / "sessions/p1/orphan.results", OLD)
    made(tmp_path / "audit/audit-1970-01-01.jsonl", OLD)
    made(tmp_path / "audit/audit-1970-03-01.jsonl", NEW)
    made(tmp_path / "logs/error-1.log", OLD)
    made(tmp_path / "sessions/p1/.killed.jsonl.0123.tmp", OLD)
    made(tmp_path / "sessions/p1/.running.jsonl.0123.tmp", NEW)
    made(tmp_path / "config.toml", OLD)
    made(tmp_path / "history/p1", OLD)
    for name, changed_at in (("p1", OLD), ("p2", NEW), ("p3", OLD)):
        folder_of(tmp_path / f"snapshots/{name}", changed_at)
    return tmp_path


def test_what_nobody_changed_for_so_long_goes_with_what_belongs_to_it(home: Path) -> None:
    assert clean(home, home / "sessions/p1/current.jsonl") == [
        "audit/audit-1970-01-01.jsonl",
        "logs/error-1.log",
        "sessions/p1/.killed.jsonl.0123.tmp",
        "sessions/p1/old.damaged",
        "sessions/p1/old.jsonl",
        "sessions/p1/old.results",
        "sessions/p1/orphan.results",
        "snapshots/p3",
    ]
    assert not (home / "sessions/p1/old.results").exists()
    assert (home / "sessions/p1/mixed.jsonl").exists()
    assert (home / "sessions/p1/current.results").is_dir()
    assert (home / "config.toml").exists()
    assert clean(home, home / "sessions/p1/current.jsonl") == []


def test_a_session_that_another_process_writes_stays(home: Path) -> None:
    file = open_journal(home / "sessions/p1/old.jsonl")
    removed = clean(home, home / "sessions/p1/current.jsonl")
    os.close(file)
    assert [name for name in removed if name.startswith("sessions/p1/old")] == []


def test_the_snapshots_of_a_project_in_which_another_process_works_stay(home: Path) -> None:
    file = open_journal(made(home / "sessions/p3/old.jsonl", OLD))
    removed = clean(home, home / "sessions/p2/mine.jsonl")
    os.close(file)
    assert [name for name in removed if name.startswith("snapshots/")] == ["snapshots/p1"]
    assert "snapshots/p3" in clean(home, home / "sessions/p2/mine.jsonl")


def test_what_a_fork_speaks_of_stays_with_it(home: Path) -> None:
    removed = clean_storage(
        home, keep_days=30, current=home / "sessions/p1/current.jsonl", origins=["old"], now=lambda: NOW
    )
    assert [path.name for path in removed if path.name.startswith("old")] == []
    assert (home / "sessions/p1/old.results").is_dir()


def test_with_zero_days_everything_stays_for_ever(home: Path) -> None:
    assert clean(home, home / "sessions/p1/current.jsonl", keep_days=0) == []


def test_a_link_is_never_followed(home: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    kept = made(elsewhere / "precious.jsonl", OLD)
    os.utime(elsewhere, (OLD, OLD))
    (home / "sessions/p9").symlink_to(elsewhere)
    (home / "sessions/p1/linked.results").symlink_to(elsewhere)
    (home / "snapshots/p9").symlink_to(elsewhere)
    (home / "logs/linked.log").symlink_to(kept)
    clean(home, home / "sessions/p1/current.jsonl")
    assert kept.exists()
    assert clean(home / "nothing", home / "x.jsonl") == []
