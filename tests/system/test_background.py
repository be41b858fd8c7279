import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from paicli.core.cancellation import CancellationToken
from paicli.core.errors import ToolFailed, TurnCancelled
from paicli.system.background import MAX_RUNNING, BackgroundCommands, BackgroundLook
from paicli.system.command_environment import command_environment
from paicli.system.commands import CommandRunner
from paicli.system.output_ring import KeptOutput
from paicli.system.running_command import CommandStatus
from tests.patience import PATIENCE_S
from tests.system.processes import comes_true, lives


@pytest.fixture
def background() -> Iterator[BackgroundCommands]:
    runner = CommandRunner(command_environment(os.environ))
    made = BackgroundCommands(runner)
    yield made
    made.close()
    runner.close()


def test_each_look_gives_what_is_new_until_the_command_has_ended(
    background: BackgroundCommands, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "gate")
    started = background.start("echo one; read x <gate; echo two; exit 3", cwd=tmp_path)
    seen: list[bytes] = []

    def sees(expected: bytes) -> bool:
        seen.append(background.look(started).output.head)
        return b"".join(seen) == expected

    assert comes_true(lambda: sees(b"one\n"))
    assert background.look(started).outcome is None
    (tmp_path / "gate").write_text("go\n")
    assert comes_true(lambda: sees(b"one\ntwo\n"))
    assert comes_true(lambda: background.look(started).outcome is not None)
    last = background.look(started)
    assert last.outcome is not None
    assert (last.id, last.output, last.outcome.exit_code) == ("bg_1", KeptOutput(b""), 3)


def test_news_is_waited_for_and_what_follows_at_once_belongs_to_it(
    background: BackgroundCommands, tmp_path: Path
) -> None:
    os.mkfifo(tmp_path / "gate")
    started = background.start("read x <gate; echo one; echo two; read x <gate; exit 3", cwd=tmp_path)
    looks: list[BackgroundLook] = []

    def wait() -> None:
        looks.append(background.await_news(started, cancel=CancellationToken()))

    for expected in (KeptOutput(b"one\ntwo\n"), KeptOutput(b"")):
        waiting = threading.Thread(target=wait, daemon=True)
        waiting.start()
        (tmp_path / "gate").write_text("go\n")
        waiting.join(PATIENCE_S)
        assert looks[-1].output == expected
    assert [look.outcome and look.outcome.exit_code for look in looks] == [None, 3]
    assert background.await_news(started, cancel=CancellationToken()) == looks[-1]  # nothing is waited for any more


def test_each_wait_in_vain_makes_the_next_one_twice_as_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runner = CommandRunner(command_environment(os.environ))
    background = BackgroundCommands(runner, patience_s=0.05)
    os.mkfifo(tmp_path / "gate")
    started = background.start("read x <gate; echo one; sleep 30", cwd=tmp_path)

    waits_s: list[float | None] = []
    wait, this_thread = threading.Event.wait, threading.current_thread()

    def noted_wait(event: threading.Event, timeout: float | None = None) -> bool:
        if threading.current_thread() is this_thread:
            waits_s.append(timeout)
        return wait(event, timeout)

    def waited_s() -> float | None:
        """How long it would have waited at most."""
        waits_s.clear()
        background.await_news(started, cancel=CancellationToken())
        return waits_s[0]

    monkeypatch.setattr(threading.Event, "wait", noted_wait)
    in_vain = [waited_s() for _ in range(3)]
    (tmp_path / "gate").write_text("go\n")
    assert comes_true(lambda: background.await_news(started, cancel=CancellationToken()).output.head == b"one\n")
    afresh = waited_s()
    background.close()
    runner.close()
    assert (in_vain, afresh) == ([0.05, 0.1, 0.2], 0.05)


def test_a_cancel_ends_the_wait_for_news_and_takes_nothing(background: BackgroundCommands, tmp_path: Path) -> None:
    started = background.start("sleep 30", cwd=tmp_path)
    cancel = CancellationToken()
    raised: list[BaseException] = []

    def wait() -> None:
        try:
            background.await_news(started, cancel=cancel)
        except TurnCancelled as error:
            raised.append(error)

    waiting = threading.Thread(target=wait, daemon=True)
    waiting.start()
    cancel.cancel()
    waiting.join(PATIENCE_S)
    assert len(raised) == 1


def test_stopping_ends_the_whole_group_and_gives_the_last_words(background: BackgroundCommands, tmp_path: Path) -> None:
    started = background.start("trap 'echo bye; exit 0' TERM; sleep 30 & echo $!; wait", cwd=tmp_path)
    words: list[bytes] = []

    def has_started() -> bool:
        words.append(background.look(started).output.head)
        return b"\n" in words[-1]

    assert comes_true(has_started)
    look = background.stop(started, cancel=CancellationToken())
    assert look.output == KeptOutput(b"bye\n")
    assert look.outcome is not None
    assert look.outcome.status is CommandStatus.CANCELLED
    assert not lives(int(words[-1]))


def test_a_cancel_ends_the_waiting_for_a_stubborn_command(background: BackgroundCommands, tmp_path: Path) -> None:
    started = background.start("trap '' TERM; echo up; while :; do sleep 1; done", cwd=tmp_path)
    assert comes_true(lambda: background.look(started).output.head == b"up\n")
    cancel = CancellationToken()
    threading.Timer(0.1, cancel.cancel).start()
    look = background.stop(started, cancel=cancel)
    assert look.outcome is None


def test_only_so_many_run_at_a_time(background: BackgroundCommands, tmp_path: Path) -> None:
    for _ in range(MAX_RUNNING):
        background.start("sleep 30", cwd=tmp_path)
    with pytest.raises(ToolFailed) as caught:
        background.start("sleep 30", cwd=tmp_path)
    assert caught.value.code == "command.too_many_background"
    background.stop("bg_1", cancel=CancellationToken())
    assert background.start("true", cwd=tmp_path) == f"bg_{MAX_RUNNING + 1}"


def test_an_unknown_id_names_those_there_are(background: BackgroundCommands, tmp_path: Path) -> None:
    background.start("true", cwd=tmp_path)
    with pytest.raises(ToolFailed) as caught:
        background.look("bg_7")
    assert (caught.value.code, caught.value.fields) == ("command.unknown_id", {"id": "bg_7", "known": "bg_1"})


def test_all_of_them_end_with_the_session_however_stubborn(tmp_path: Path) -> None:
    runner = CommandRunner(command_environment(os.environ))
    background = BackgroundCommands(runner)
    for number in range(2):
        background.start(f"trap '' TERM; echo $$ >pid{number}; while :; do sleep 1; done", cwd=tmp_path)
    files = [tmp_path / f"pid{number}" for number in range(2)]
    assert comes_true(lambda: all(file.exists() and file.read_text() for file in files))
    background.close()
    runner.close()
    assert [lives(int(file.read_text())) for file in files] == [False, False]
