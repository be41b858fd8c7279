import os
import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from paicli.core.cancellation import CancellationToken
from paicli.core.errors import ToolFailed
from paicli.system import process_group, wakeups
from paicli.system.command_environment import command_environment
from paicli.system.commands import CommandRunner, nearest_folder
from paicli.system.output_ring import KeptOutput
from paicli.system.running_command import CommandOutcome, CommandStatus
from tests.patience import PATIENCE_S
from tests.system.processes import comes_true, lives, open_descriptors


@pytest.fixture
def runner() -> Iterator[CommandRunner]:
    made = CommandRunner(command_environment(os.environ))
    yield made
    made.close()


def run(runner: CommandRunner, command: str, cwd: Path, timeout_s: float = PATIENCE_S) -> CommandOutcome:
    return runner.run(command, cwd=cwd, timeout_s=timeout_s, cancel=CancellationToken())


def run_into_its_time_out(runner: CommandRunner, command: str, cwd: Path) -> CommandOutcome:
    """With as much time as the machine takes until the command has printed something."""
    outcomes = (run(runner, command, cwd, timeout_s) for timeout_s in (0.4, 3, 10))
    return next(outcome for outcome in outcomes if outcome.output.head)


@pytest.mark.parametrize(  # C40
    ("command", "exit_code", "stage_codes"),
    [
        ("sh -c 'echo out; exit 1' | tail -1", 0, (1, 0)),
        ("seq 1 100000 | head -3", 0, (141, 0)),
        ("echo a | grep zzz | wc -l", 0, (0, 1, 0)),
        ("false; true", 0, (0,)),
        ("false", 1, (1,)),
        ("kill -9 $$", -9, ()),
        ("exit 300", 44, None),
        ("no_such_cmd", 127, (127,)),
        ("exec false", 1, ()),
        ("trap 'echo mine' EXIT; true | false", 1, ()),
    ],
)
def test_the_shells_own_code_and_those_of_all_stages_are_told(
    runner: CommandRunner, tmp_path: Path, command: str, exit_code: int, stage_codes: tuple[int, ...] | None
) -> None:
    outcome = run(runner, command, tmp_path)
    assert (outcome.status, outcome.exit_code) == (CommandStatus.ENDED, exit_code)
    if stage_codes is not None:
        assert outcome.stage_codes == stage_codes


def test_stdout_and_stderr_come_in_the_order_of_writing(runner: CommandRunner, tmp_path: Path) -> None:
    outcome = run(runner, "for i in 1 2 3; do echo o$i; echo e$i >&2; done", tmp_path)
    assert outcome.output == KeptOutput(b"o1\ne1\no2\ne2\no3\ne3\n")


@pytest.mark.parametrize(  # C34
    ("command", "exit_code"),
    [("sleep 600 & echo $!", 0), ("(sleep 600 >&2) & echo $!; exit 4", 4), ("sleep 600 >/dev/null & echo $!", 0)],
)
def test_a_background_child_does_not_hold_the_result_up_and_is_named(
    runner: CommandRunner, tmp_path: Path, command: str, exit_code: int
) -> None:
    outcome = run(runner, command, tmp_path)
    child = int(outcome.output.head)
    assert outcome.exit_code == exit_code
    assert child in {survivor.pid for survivor in outcome.survivors}
    assert lives(child)
    runner.close()
    assert not lives(child)


def test_a_child_that_goes_on_printing_neither_dies_nor_blocks(runner: CommandRunner, tmp_path: Path) -> None:  # C34
    go_on = tmp_path / "go_on"
    os.mkfifo(go_on)
    run(runner, f"(read line <{go_on}; head -c 300000 /dev/zero; echo $? >done) &", tmp_path)
    go_on.write_text("now\n")
    assert comes_true(lambda: (tmp_path / "done").exists() and (tmp_path / "done").read_text() == "0\n")


def test_what_an_earlier_command_left_is_not_laid_to_a_later_one(runner: CommandRunner, tmp_path: Path) -> None:
    left = run(runner, "sleep 30 & echo", tmp_path)
    later = run(runner, "true", tmp_path)
    assert (len(left.survivors), later.survivors) == (1, ())


def test_fifty_runs_leave_no_descriptor_and_no_thread(tmp_path: Path) -> None:  # C34
    warm = CommandRunner(command_environment(os.environ))
    run(warm, "true", tmp_path)
    warm.close()
    before = (open_descriptors(), threading.active_count())
    runner = CommandRunner(command_environment(os.environ))
    for number in range(50):
        run(runner, "sleep 30 & echo done" if number % 5 == 0 else "echo done", tmp_path)
    assert threading.active_count() <= before[1] + 1
    runner.close()
    assert comes_true(lambda: (open_descriptors(), threading.active_count()) == before)


def test_a_drained_pipe_is_closed_as_soon_as_its_last_writer_ends(runner: CommandRunner, tmp_path: Path) -> None:
    run(runner, "true", tmp_path)
    before = (open_descriptors(), threading.active_count())
    run(runner, "sleep 0.1 & echo", tmp_path)
    assert comes_true(lambda: (open_descriptors(), threading.active_count()) == before)


@pytest.mark.parametrize(  # C36
    "command",
    [
        "cat",
        'read x; echo "[$x]"',
        "python3 -c 'input()'",
        "cd repo && git commit",
        "cd repo && git commit --amend",
        "cd repo && git rebase -i HEAD~1",
        "cd repo && git -c core.pager='less -+F' log",
        "man ls",
        "less repo/a",
        "git clone https://127.0.0.1:1/x.git",
    ],
)
def test_nothing_waits_for_a_person(runner: CommandRunner, tmp_path: Path, command: str) -> None:
    made = run(
        runner,
        "git init -q repo && cd repo && git config user.name a && git config user.email b@c && for i in 1 2; do"
        " echo $i >a && git add a && git commit -qm $i; done && echo 3 >a && git add a",
        tmp_path,
    )
    assert made.exit_code == 0, made.output
    assert run(runner, command, tmp_path).status is CommandStatus.ENDED
    assert run(runner, "cd repo && git log --format=%s", tmp_path).output == KeptOutput(b"2\n1\n")


def test_a_commit_without_a_message_fails_and_says_what_to_do(runner: CommandRunner, tmp_path: Path) -> None:  # C36
    command = "git init -q . && echo 1 >a && git add a && git -c user.name=a -c user.email=b@c commit"
    outcome = run(runner, command, tmp_path)
    assert outcome.exit_code == 1
    assert b"-m or -F" in outcome.output.head


def test_there_is_no_terminal_to_write_a_prompt_to(runner: CommandRunner, tmp_path: Path) -> None:  # C46
    outcome = run(runner, "sh -c 'echo X >/dev/tty'; sh -c 'read l </dev/tty'; tty", tmp_path)
    assert outcome.exit_code == 1
    assert outcome.output.head.count(b"No such device or address") == 2
    assert outcome.output.head.endswith(b"not a tty\n")


@pytest.mark.parametrize(  # C37
    "command",
    [
        "sleep 600 & echo $!; wait",
        "sh -c 'trap \"\" TERM; echo $$; while :; do sleep 1; done'",
        "echo $$; yes | sh -c 'trap \"\" TERM; cat >/dev/null'",
        "setsid sh -c 'trap \"\" TERM; echo $$; while :; do sleep 1; done' & wait",
    ],
)
def test_a_time_out_ends_every_process_of_the_command(runner: CommandRunner, tmp_path: Path, command: str) -> None:
    outcome = run_into_its_time_out(runner, command, tmp_path)
    assert outcome.status is CommandStatus.TIMED_OUT
    assert not lives(int(outcome.output.head))
    assert outcome.survivors == ()


@pytest.mark.parametrize(  # C64
    "command",
    [
        "echo $$; while :; do echo x >>grows; sleep 0.01; done",
        "echo $$; trap '' TERM; while :; do sleep 1; done",
        "echo $$; yes",
        "echo $$; setsid sh -c 'trap \"\" TERM; while :; do echo x >>grows; sleep 0.01; done'",
    ],
)
def test_a_cancel_has_the_caller_back_and_nothing_lives(runner: CommandRunner, tmp_path: Path, command: str) -> None:
    cancel = CancellationToken()
    seen = threading.Event()
    ended: list[CommandOutcome] = []

    def work() -> None:
        ended.append(runner.run(command, cwd=tmp_path, timeout_s=600, cancel=cancel, on_tail=lambda raw: seen.set()))

    thread = threading.Thread(target=work)
    thread.start()
    assert seen.wait(PATIENCE_S)
    cancel.cancel()
    thread.join(PATIENCE_S)
    (outcome,) = ended
    assert outcome.status is CommandStatus.CANCELLED
    assert outcome.survivors == ()
    assert not lives(int(outcome.output.head.split()[0]))
    grows = tmp_path / "grows"
    size = grows.stat().st_size if grows.exists() else 0
    threading.Event().wait(0.1)
    assert (grows.stat().st_size if grows.exists() else 0) == size


def test_a_cancel_during_the_grace_of_a_time_out_shortens_it(runner: CommandRunner, tmp_path: Path) -> None:
    cancel = CancellationToken()

    def cancelled_when_asked_to_end(timeout_s: float) -> CommandOutcome:
        command = "trap 'echo asked' TERM; while :; do sleep 0.1; done"
        return runner.run(
            command, cwd=tmp_path, timeout_s=timeout_s, cancel=cancel, on_tail=lambda raw: cancel.cancel()
        )

    outcomes = map(cancelled_when_asked_to_end, (0.3, 3, 10))
    outcome = next(outcome for outcome in outcomes if outcome.output.head)  # it had begun when its time was over
    assert outcome.status is CommandStatus.CANCELLED


def test_a_command_that_is_cancelled_before_it_starts_is_stopped_at_once(runner: CommandRunner, tmp_path: Path) -> None:
    cancel = CancellationToken()
    cancel.cancel()
    outcome = runner.run("sleep 600", cwd=tmp_path, timeout_s=600, cancel=cancel)
    assert outcome.status is CommandStatus.CANCELLED


def test_cancelling_one_command_leaves_its_neighbour_alone(runner: CommandRunner, tmp_path: Path) -> None:
    cancel = CancellationToken()
    started = threading.Barrier(3)
    outcomes: dict[str, CommandOutcome] = {}

    def work(name: str, command: str, token: CancellationToken) -> None:
        running = runner.start(command, cwd=tmp_path)
        started.wait(PATIENCE_S)
        outcomes[name] = running.wait(timeout_s=600, cancel=token)

    os.mkfifo(tmp_path / "gate")
    threads = [
        threading.Thread(target=work, args=("one", "sleep 600", cancel)),
        threading.Thread(target=work, args=("two", "read x <gate; exit 5", CancellationToken())),
    ]
    for thread in threads:
        thread.start()
    started.wait(PATIENCE_S)
    cancel.cancel()
    threads[0].join(PATIENCE_S)
    (tmp_path / "gate").write_text("go\n")
    threads[1].join(PATIENCE_S)
    assert (outcomes["one"].status, outcomes["two"].status) == (CommandStatus.CANCELLED, CommandStatus.ENDED)
    assert outcomes["two"].exit_code == 5


@pytest.mark.parametrize(  # C38
    "command", ["yes", "cat /dev/zero | tr '\\0' a", "cat /dev/zero >&2"]
)
def test_endless_output_is_bounded_and_does_not_hinder_the_time_out(
    runner: CommandRunner, tmp_path: Path, command: str
) -> None:
    outcome = run(runner, command, tmp_path, timeout_s=1)
    assert outcome.status is CommandStatus.TIMED_OUT
    assert outcome.output.dropped_bytes > 0
    assert len(outcome.output.head) + len(outcome.output.tail) <= 2_000_000


def test_the_dropped_bytes_are_counted_exactly(runner: CommandRunner, tmp_path: Path) -> None:  # C38
    kept = run(runner, "seq 1 600000", tmp_path).output
    whole = b"".join(b"%d\n" % number for number in range(1, 600_001))
    assert len(kept.head) + kept.dropped_bytes + len(kept.tail) == len(whole)
    assert whole.startswith(kept.head)
    assert whole.endswith(kept.tail)
    assert kept.head.endswith(b"\n")


def test_the_tail_is_shown_while_it_runs_and_not_too_often(runner: CommandRunner, tmp_path: Path) -> None:
    moments: list[float] = []
    tails: list[bytes] = []

    def show(raw: bytes) -> None:
        moments.append(time.monotonic())
        tails.append(raw)

    command = "for i in $(seq 1 300); do echo $i; sleep 0.001; done; sleep 0.25"
    runner.run(command, cwd=tmp_path, timeout_s=8, cancel=CancellationToken(), on_tail=show)
    assert min(later - earlier for earlier, later in pairwise(moments)) > 0.09
    assert tails[-1].endswith(b"299\n300\n")  # shown although nothing came after it


def test_a_command_that_closes_its_output_is_still_awaited(runner: CommandRunner, tmp_path: Path) -> None:
    outcome = run(runner, "exec >&- 2>&-; sleep 0.1; exit 3", tmp_path)
    assert outcome.exit_code == 3


def test_cd_counts_inside_one_command_only(runner: CommandRunner, tmp_path: Path) -> None:  # C41
    run(runner, "mkdir d && cd d", tmp_path)
    assert run(runner, "pwd", tmp_path).output == KeptOutput(f"{tmp_path}\n".encode())


def test_a_folder_that_has_gone_is_replaced_by_its_nearest_parent(runner: CommandRunner, tmp_path: Path) -> None:  # C41
    gone = tmp_path / "w" / "d"
    outcome = run(runner, "echo hi; pwd", gone)
    assert outcome.output == KeptOutput(f"hi\n{tmp_path}\n".encode())
    assert outcome.cwd == tmp_path
    assert nearest_folder(Path("/no/such/folder")) == Path("/")


def test_no_secret_is_in_the_environment_of_a_command(tmp_path: Path) -> None:  # C42
    base = {**os.environ, "PAICLI_API_KEY": "sk-canary-1", "OPENAI_API_KEY": "sk-canary-2", "VIRTUAL_ENV": "/v"}
    environment = command_environment(base, secret_names={"OPENAI_API_KEY"}, secret_values={"sk-canary-1"})
    runner = CommandRunner(environment)
    kept = run(runner, "env; tr '\\0' ' ' </proc/$$/cmdline; tr '\\0' ' ' </proc/$$/environ", tmp_path).output
    runner.close()
    assert b"sk-canary" not in kept.head
    assert {b"PAGER=cat", b"TERM=dumb", b"VIRTUAL_ENV=/v"} <= set(kept.head.split(b"\n"))


def test_nothing_of_our_own_means_reaches_the_commands_children(runner: CommandRunner, tmp_path: Path) -> None:
    assert run(runner, "env | grep -E '^(BASH_ENV|PAICLI_STAGE_FD|PAICLI_USER_BASH_ENV)='", tmp_path).exit_code == 1


def test_the_users_own_bash_env_still_holds(tmp_path: Path) -> None:
    script = tmp_path / "env.bash"
    script.write_text("greet() { echo hello; }\n")
    runner = CommandRunner(command_environment({**os.environ, "BASH_ENV": str(script)}))
    outcome = run(runner, "greet; bash -c greet; false | true", tmp_path)
    runner.close()
    assert outcome.output == KeptOutput(b"hello\nhello\n")
    assert outcome.stage_codes == (1, 0)


@pytest.mark.parametrize(
    ("command", "code"), [("echo a\0b", "command.has_nul"), (": " + "x" * 200_000, "command.too_long")]
)
def test_a_command_the_system_refuses_is_an_error_for_the_model(
    runner: CommandRunner, tmp_path: Path, command: str, code: str
) -> None:
    before = open_descriptors()
    with pytest.raises(ToolFailed) as caught:
        run(runner, command, tmp_path)
    assert caught.value.code == code
    assert open_descriptors() == before


@pytest.mark.skipif(os.getuid() == 0, reason="root may read every folder")
def test_a_folder_of_path_that_may_not_be_read_hides_no_reason(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o000)
    runner = CommandRunner(command_environment(os.environ | {"PATH": f"{closed}{os.pathsep}{os.environ['PATH']}"}))
    with pytest.raises(ToolFailed) as caught:
        run(runner, ": " + "x" * 200_000, tmp_path)
    runner.close()
    assert caught.value.code == "command.too_long"


def test_without_bash_it_says_so(tmp_path: Path) -> None:
    runner = CommandRunner({"PATH": str(tmp_path)})
    with pytest.raises(ToolFailed) as caught:
        run(runner, "true", tmp_path)
    assert caught.value.code == "command.no_bash"


def test_the_end_of_the_session_reaches_what_hides(tmp_path: Path) -> None:  # C34
    runner = CommandRunner(command_environment(os.environ))
    command = (
        "(env -i setsid sh -c 'sleep 40 & echo $! >wiped'; true) &"
        " setsid setsid sh -c 'echo $$ >twice; exec sleep 40' & wait"
    )
    run(runner, command, tmp_path)
    files = [tmp_path / name for name in ("wiped", "twice")]
    assert comes_true(lambda: all(file.exists() and file.read_text().endswith("\n") for file in files))
    hidden = [int(file.read_text()) for file in files]
    assert [lives(pid) for pid in hidden] == [True, True]
    runner.close()
    assert [lives(pid) for pid in hidden] == [False, False]


def test_the_end_of_the_session_ends_commands_that_are_still_awaited(tmp_path: Path) -> None:
    runner = CommandRunner(command_environment(os.environ))
    running = runner.start("sleep 600 | sleep 601", cwd=tmp_path)
    outcomes: list[CommandOutcome] = []
    thread = threading.Thread(target=lambda: outcomes.append(running.wait(timeout_s=None, cancel=CancellationToken())))
    thread.start()
    runner.close()
    thread.join(PATIENCE_S)
    assert outcomes[0].exit_code == -15
    with pytest.raises(ToolFailed) as caught:
        runner.start("true", cwd=tmp_path)
    assert caught.value.code == "command.session_ended"


def test_children_others_started_are_left_alone(runner: CommandRunner, tmp_path: Path) -> None:
    servers = CommandRunner(command_environment(os.environ))
    server = servers.start("exec sleep 30", cwd=tmp_path)
    outcome = run(runner, "sleep 30", tmp_path, timeout_s=0.1)
    assert outcome.status is CommandStatus.TIMED_OUT
    assert lives(server.leader)
    cancel = CancellationToken()
    cancel.cancel()
    server.wait(timeout_s=None, cancel=cancel)
    servers.close()


def test_where_there_are_no_pidfds_commands_end_time_out_and_cancel_all_the_same(
    runner: CommandRunner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(wakeups.os, "pidfd_open")
    assert run(runner, "exit 7", tmp_path).exit_code == 7
    stubborn = "trap '' TERM; while :; do sleep 1; done"
    assert run(runner, stubborn, tmp_path, timeout_s=0.1).status is CommandStatus.TIMED_OUT
    cancel = CancellationToken()
    cancel.cancel()
    assert runner.run(stubborn, cwd=tmp_path, timeout_s=600, cancel=cancel).status is CommandStatus.CANCELLED


def test_without_proc_and_pidfds_the_group_is_still_ended(  # as on macOS
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(wakeups.os, "pidfd_open")
    monkeypatch.setattr(process_group, "read_processes", dict)
    monkeypatch.setattr(process_group, "read_process", lambda pid: None)
    runner = CommandRunner(command_environment(os.environ))
    late = run_into_its_time_out(runner, "sleep 31 & echo $!; sleep 32", tmp_path)
    left = run(runner, "sleep 33 & echo $!", tmp_path)
    runner.close()
    monkeypatch.undo()
    assert (late.status, left.status) == (CommandStatus.TIMED_OUT, CommandStatus.ENDED)
    assert len(left.survivors) == 1
    assert comes_true(lambda: not lives(int(late.output.head)) and not lives(int(left.output.head)))
