import errno
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from paicli.core.cancellation import CancellationToken
from paicli.core.errors import TurnCancelled, UserFacingError
from paicli.core.event_bodies.stored import SnapshotTaken
from paicli.core.events import Notice
from paicli.session.snapshots.keeper import SnapshotKeeper
from paicli.session.snapshots.parts import expire_snapshots
from paicli.session.snapshots.records import SnapshotPlace
from paicli.session.snapshots.worktree import MAX_FILE_BYTES
from tests.session.snapshots.ground import CANCEL, Ground


@pytest.fixture
def ground(tmp_path: Path) -> Ground:
    return Ground(tmp_path)


def two_turns(ground: Ground) -> None:
    ground.write("a", b"0")
    ground.begin("first")
    ground.write("a", b"1")
    ground.write("one", b"1")
    ground.end()
    ground.begin("second")
    ground.write("a", b"2")
    ground.write("two", b"2")
    ground.end()


def test_turns_are_taken_back_one_by_one_or_together(ground: Ground) -> None:
    two_turns(ground)
    assert ground.undo().texts == ("second",)
    assert ground.picture() == {"a": ("file", b"1", False), "one": ("file", b"1", False)}
    assert ground.undo().texts == ("first",)
    assert ground.picture() == {"a": ("file", b"0", False)}
    with pytest.raises(UserFacingError, match="nothing_to_undo"):
        ground.undo()
    ground.restore("3")  # before the first undo: both turns stand again
    assert ground.undo(2).texts == ("first", "second")
    assert ground.picture() == {"a": ("file", b"0", False)}


def test_what_a_person_did_stays_and_what_would_be_lost_is_named(ground: Ground) -> None:
    two_turns(ground)
    ground.write("mine", b"m")
    ground.write("two", b"mine now")
    plan = ground.undo()
    assert plan.by_person == ("two",)
    assert ground.picture() == {"a": ("file", b"1", False), "mine": ("file", b"m", False), "one": ("file", b"1", False)}


def test_a_turn_that_changed_nothing_is_not_one_to_take_back(ground: Ground) -> None:
    two_turns(ground)
    ground.begin("looks only")
    ground.end()
    assert ground.undo().texts == ("second",)


def test_a_turn_that_somebody_took_back_already_does_not_stand_before_the_others(ground: Ground) -> None:
    two_turns(ground)
    ground.write("a", b"1")
    (ground.root / "two").unlink()
    plan = ground.undo()
    assert (plan.texts, ground.picture()) == (("first", "second"), {"a": ("file", b"0", False)})
    with pytest.raises(UserFacingError, match="nothing_to_undo"):
        ground.undo()


def test_files_go_back_to_before_a_turn_and_all_since(ground: Ground) -> None:
    two_turns(ground)
    ground.undo(from_turn="turn_1")
    assert ground.picture() == {"a": ("file", b"0", False)}
    for turn in ("turn_2", "turn_3", "", "none"):
        with pytest.raises(UserFacingError, match="nothing_to_undo"):
            ground.undo(0, from_turn=turn)


def test_a_session_that_goes_on_goes_back_before_a_turn_of_the_process_before_it(ground: Ground) -> None:
    ground.begin("reads only")
    ground.end()
    two_turns(ground)
    ground.keeper.close()
    ground.keeper = ground.another("s1")
    ground.begin("third")
    ground.write("three")
    ground.end()
    assert ground.undo(from_turn="turn_3").texts == ("second", "third")
    assert ground.undo(from_turn="turn_1").texts == ("first",)
    assert ground.picture() == {"a": ("file", b"0", False)}


def test_one_snapshot_a_turn_and_each_left_out_path_is_named_once(ground: Ground) -> None:
    ground.write("big", b"0" * (MAX_FILE_BYTES + 1))
    ground.write("sub/in", b"1")
    subprocess.run(["git", "init", "-q", str(ground.root / "sub")], check=True)
    ground.begin()
    ground.keeper.before_change(ground.said.append, CANCEL)
    ground.end()
    ground.begin()
    ground.end()
    assert [body._replace(duration_s=0) for body in ground.said if isinstance(body, SnapshotTaken)] == [
        SnapshotTaken("1", ("big", "sub/")),
        SnapshotTaken("2"),
    ]


def test_what_no_snapshot_holds_is_never_overwritten(ground: Ground) -> None:
    ground.write("a", b"small")
    ground.write("log", b"kept")
    ground.begin()
    ground.write("a", b"0" * (MAX_FILE_BYTES + 1))
    (ground.root / "log").unlink()
    ground.write(".gitignore", b"log\n")
    ground.end()
    ground.write("log", b"ignored, and mine")
    plan = ground.undo()
    assert plan.in_the_way == ("a", "log")
    assert (ground.root / "log").read_bytes() == b"ignored, and mine"
    assert (ground.root / "a").stat().st_size == MAX_FILE_BYTES + 1


def lose_the_patterns(root: Path) -> None:
    (root / ".gitignore").unlink()


def name_other_patterns(root: Path) -> None:
    (root / ".gitignore").write_bytes(b"none\n")
    (root / "d" / ".gitignore").write_bytes(b"!:(top)x\n")


def shrink_the_large_one(root: Path) -> None:
    (root / "big").write_bytes(b"small now")


def make_the_repository_a_folder(root: Path) -> None:
    shutil.rmtree(root / "sub" / ".git")


@pytest.mark.parametrize(
    ("change", "kept"),
    [
        (lose_the_patterns, ("key.secret", "out/y")),
        (name_other_patterns, ("d/:(top)x", "key.secret", "out/y")),
        (shrink_the_large_one, ("big",)),
        (make_the_repository_a_folder, ("sub/in",)),
    ],
)
@pytest.mark.parametrize("way", ["undo", "restore"])
def test_what_no_snapshot_held_before_is_not_taken_away_as_if_it_were_new(
    ground: Ground, change: Callable[[Path], None], kept: tuple[str, ...], way: str
) -> None:
    ground.write(".gitignore", b"*.secret\n/out/\n")
    ground.write("d/.gitignore", b":(top)x\n")
    for name in ("key.secret", "out/y", "d/:(top)x", "sub/in"):
        ground.write(name, b"the only copy")
    ground.write("big", b"0" * (MAX_FILE_BYTES + 1))
    subprocess.run(["git", "init", "-q", str(ground.root / "sub")], check=True)
    ground.begin()
    change(ground.root)
    ground.write("made", b"1")
    ground.end()
    plan = ground.undo() if way == "undo" else ground.restore("1")
    assert plan.in_the_way == kept
    names = ("key.secret", "out/y", "d/:(top)x", "sub/in", "big")
    assert [name for name in names if not (ground.root / name).exists()] == []
    assert (ground.root / ".gitignore").read_bytes() == b"*.secret\n/out/\n"
    assert not (ground.root / "made").exists()


def test_what_a_turn_made_goes_although_a_later_pattern_names_it(ground: Ground) -> None:
    ground.begin("first")
    ground.write("out/y", b"1")
    ground.end()
    ground.begin("second")
    ground.write(".gitignore", b"out/\n")
    ground.end()
    assert ground.undo(2).in_the_way == ()
    assert list(ground.root.iterdir()) == []


def test_ignored_files_are_neither_taken_nor_touched(ground: Ground) -> None:
    ground.write(".gitignore", b"*.o\nout/\n")
    ground.write("x.o", b"1")
    ground.write("out/y", b"1")
    ground.begin()
    ground.write("x.o", b"2")
    ground.write("new", b"2")
    ground.end()
    ground.undo()
    assert ground.picture()["x.o"] == ("file", b"2", False)
    assert "new" not in ground.picture()
    assert ground.picture()["out/y"] == ("file", b"1", False)


def test_without_git_and_after_a_failure_it_is_said_once_and_turns_go_on(ground: Ground) -> None:
    ground.keeper = ground.another("s2", environ={"PATH": str(ground.base)})
    ground.begin()
    ground.end()
    ground.begin()
    ground.end()
    assert [body.fault.code for body in ground.said if isinstance(body, Notice)] == ["snapshots.no_git"]
    with pytest.raises(UserFacingError, match="no_git"):
        ground.undo()


def test_a_store_that_can_not_be_made_is_said_once(ground: Ground) -> None:
    ground.store.parent.parent.mkdir(parents=True)
    ground.store.parent.write_text("a file")
    for _ in range(2):
        ground.begin()
        ground.end()
    assert told(ground) == ["snapshots.failed"]


def test_a_store_that_can_not_be_written_now_is_not_set_aside_as_damaged(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    two_turns(ground)
    ground.keeper.close()
    ground.keeper = ground.another("s1")
    (ground.store / "config").unlink()  # it would be written anew

    def full(path: Path, raw: bytes) -> int:
        path.touch()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        ground.begin()
        ground.keeper.end_turn()
    assert told(ground) == ["snapshots.failed"]
    assert [path.name for path in ground.store.parent.iterdir()] == ["p"]
    assert list(ground.store.glob("*.tmp")) == []
    assert ground.undo().texts == ("second",)


def told(ground: Ground) -> list[str]:
    return [body.fault.code for body in ground.said if isinstance(body, Notice)]


def break_every_object(store: Path) -> None:
    for path in (store / "objects").glob("??/*"):
        path.chmod(0o600)
        path.write_bytes(b"bad")


def put_a_file_there(store: Path) -> None:
    shutil.rmtree(store)
    store.write_text("a file")


@pytest.mark.parametrize(
    ("breaks", "codes"),
    [(break_every_object, ["snapshots.set_aside"]), (put_a_file_there, ["snapshots.set_aside"]), (shutil.rmtree, [])],
    ids=["objects", "file", "removed"],
)
@pytest.mark.parametrize("is_new_session", [True, False])
def test_a_store_that_can_not_be_read_is_set_aside_and_a_new_one_begins(
    ground: Ground, breaks: Callable[[Path], None], codes: list[str], is_new_session: bool
) -> None:
    two_turns(ground)
    if is_new_session:
        ground.keeper.close()
        ground.keeper = ground.another("s2")
    ground.said.clear()
    breaks(ground.store)
    before = ground.picture()
    for content in (b"3", b"4"):
        ground.begin()
        ground.write("a", content)
        ground.end()
    assert told(ground) == codes
    assert len(list(ground.store.parent.glob("p.damaged-*"))) == len(codes)
    ground.undo(2)
    assert ground.picture() == before


def test_another_sessions_snapshots_in_a_store_that_was_begun_anew_are_not_taken_for_ones_own(ground: Ground) -> None:
    two_turns(ground)
    shutil.rmtree(ground.store)
    other = ground.another("s2")
    for number in range(2):
        other.begin_turn(f"turn_{number}", "theirs")
        other.before_change(ground.said.append, CANCEL)
        ground.write("a", b"theirs %d" % number)
        other.end_turn()
        other.listed(CANCEL)
    with pytest.raises(UserFacingError, match="nothing_to_undo"):
        ground.keeper.plan_undo(2, "", CANCEL)


def test_a_lock_that_a_killed_process_left_costs_its_number_only(ground: Ground) -> None:
    two_turns(ground)
    (ground.store / "refs" / "snapshots" / "3.lock").touch()
    ground.begin()
    ground.write("a", b"3")
    ground.end()
    assert told(ground) == []
    assert [snapshot.number for snapshot in ground.keeper.listed(CANCEL)] == [4, 2, 1]
    ground.undo()
    assert ground.picture()["a"] == ("file", b"2", False)


def test_what_another_session_finishes_with_meanwhile_is_no_fault(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    two_turns(ground)
    theirs = ground.store / "config.0123.tmp"
    theirs.touch()

    def renamed_by_now() -> float:
        theirs.unlink(missing_ok=True)
        return time.time()

    monkeypatch.setattr("paicli.session.snapshots.repository.time", SimpleNamespace(time=renamed_by_now))
    other = ground.another("s2")
    assert (other.take(CANCEL).snapshot, theirs.exists()) == ("3", False)


def test_a_damaged_index_is_read_anew(ground: Ground) -> None:
    two_turns(ground)
    ground.keeper.close()
    (ground.store / "index").write_bytes(b"DIRC and no more")
    ground.undo()
    assert ground.picture() == {"a": ("file", b"1", False), "one": ("file", b"1", False)}


def test_a_session_that_goes_on_can_take_its_turns_back(ground: Ground) -> None:
    two_turns(ground)
    ground.keeper.close()
    ground.keeper = ground.another("s1")
    assert ground.undo().texts == ("second",)
    other = ground.another("s2")
    with pytest.raises(UserFacingError, match="nothing_to_undo"):
        other.plan_undo(1, "", CANCEL)


@pytest.mark.parametrize("is_over", [True, False])
def test_a_turn_whose_end_was_not_noted_is_taken_back_and_that_is_said(ground: Ground, is_over: bool) -> None:
    ground.begin("killed")
    ground.write("a", b"the turn's")
    if is_over:
        ground.end()
    ground.keeper = ground.another("s1")
    ground.write("mine", b"m")
    plan = ground.undo()
    assert (plan.has_unknown_end, (ground.root / "mine").exists()) == (not is_over, is_over)
    assert not (ground.root / "a").exists()


def test_a_fork_takes_back_what_its_origin_did_until_then_and_no_more(ground: Ground) -> None:
    two_turns(ground)
    first, second = (snapshot.time for snapshot in ground.keeper.listed(CANCEL)[::-1])
    ground.keeper.close()
    for forked_at, texts in ((first - 1, ()), (second, ("first", "second"))):
        fork = ground.another("s2", origins={"s1": forked_at})
        assert [snapshot.note.text for snapshot in fork.listed(CANCEL)[::-1] if fork.is_own(snapshot)] == list(texts)
    ground.keeper = ground.another("s2", origins={"s1": second})
    ground.begin("third")
    ground.write("three")
    ground.end()
    assert ground.undo(from_turn="turn_2").texts == ("second", "third")
    assert ground.picture() == {"a": ("file", b"1", False), "one": ("file", b"1", False)}


def test_two_sessions_at_once_each_get_numbers_of_their_own(ground: Ground) -> None:
    ground.write("a", b"0")
    keepers = [ground.another(f"s{number}") for number in range(3)]
    together = threading.Barrier(len(keepers))
    taken: list[str] = []

    def take(keeper: SnapshotKeeper) -> None:
        together.wait()
        taken.extend(keeper.take(CANCEL).snapshot for _ in range(3))

    threads = [threading.Thread(target=take, args=(keeper,)) for keeper in keepers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(int, taken)) == list(range(1, 10))


def test_a_cancelled_turn_takes_none_and_the_next_one_does(ground: Ground) -> None:
    cancel = CancellationToken()
    cancel.cancel()
    ground.keeper.begin_turn("turn_1", "x")
    with pytest.raises(TurnCancelled):
        ground.keeper.before_change(ground.said.append, cancel)
    ground.keeper.end_turn()
    ground.begin()
    ground.end()
    assert [type(body) for body in ground.said] == [SnapshotTaken]


def test_old_snapshots_go_and_numbers_go_on(ground: Ground) -> None:
    two_turns(ground)
    ground.undo()
    ground.keeper.close()
    place = SnapshotPlace(ground.store, ground.root, ground.base / "home", dict(os.environ))
    other = ground.another("s2")
    assert expire_snapshots(place, before=time.time() - 100, keeps=other.is_own, cancel=CANCEL) == 0
    assert expire_snapshots(place, before=time.time() + 100, keeps=ground.another("s1").is_own, cancel=CANCEL) == 0
    assert expire_snapshots(place, before=time.time() + 100, keeps=other.is_own, cancel=CANCEL) == 3
    assert ground.another("s1").listed(CANCEL) == []
    nowhere = place._replace(folder=ground.base / "none")
    assert expire_snapshots(nowhere, before=time.time(), keeps=other.is_own, cancel=CANCEL) == 0


def test_paiclis_own_home_inside_the_project_is_never_taken(tmp_path: Path) -> None:
    ground = Ground(tmp_path)
    ground.root = tmp_path
    ground.keeper = ground.another("s1")
    ground.write("home/config.toml", b"key")
    ground.write("a", b"1")
    ground.begin()
    ground.write("home/config.toml", b"another")
    ground.write("a", b"2")
    ground.end()
    ground.undo()
    assert (tmp_path / "home/config.toml").read_bytes() == b"another"
    assert (tmp_path / "a").read_bytes() == b"1"


def test_paiclis_own_home_as_the_project_is_not_taken_either(tmp_path: Path) -> None:
    ground = Ground(tmp_path)
    ground.root = tmp_path / "home"
    ground.keeper = ground.another("s1")
    ground.write("config.toml", b"key")
    ground.begin()
    ground.write("config.toml", b"another")
    ground.end()
    with pytest.raises(UserFacingError, match="nothing_to_undo"):
        ground.undo()
    assert not any(b"config.toml" in path.read_bytes() for path in ground.store.glob("index*"))


_ENDLESS = """
import os, sys
from collections.abc import Callable
from pathlib import Path
from tests.session.snapshots.ground import CANCEL, Ground
ground = Ground(Path(sys.argv[1]), session_id="killed")
taken = ground.keeper.take(CANCEL).snapshot
print("ready", flush=True)
while True:
    for name in range(200):
        ground.write(".paicli-t.tmp", os.urandom(20_000)).rename(ground.root / f"f{name}")
    ground.keeper.take(CANCEL)
    ground.restore(taken)
"""


@pytest.mark.parametrize("after_s", [0.02, 0.09, 0.2])
def test_a_kill_leaves_whole_files_and_a_store_that_works(ground: Ground, after_s: float) -> None:
    for name in range(200):
        ground.write(f"f{name}", b"whole" * 4_000)
    program = [sys.executable, "-c", _ENDLESS, str(ground.base)]
    with subprocess.Popen(program, stdout=subprocess.PIPE, cwd=Path(__file__).parents[3]) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        threading.Event().wait(after_s)
        process.send_signal(signal.SIGKILL)
    sizes = {path.stat().st_size for path in ground.root.iterdir() if not path.name.startswith(".paicli-")}
    assert sizes == {20_000}
    ground.restore("1")
    assert {path.read_bytes() for path in ground.root.iterdir() if path.name.startswith("f")} == {b"whole" * 4_000}
    assert [path.name for path in ground.store.glob("*.lock")] == []
