import os
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from paicli.core.cancellation import CancellationToken
from paicli.core.errors import ToolFailed
from paicli.system import process_group
from paicli.system.background import BackgroundCommands
from paicli.system.command_environment import command_environment
from paicli.system.commands import STAGE_SCRIPT, CommandRunner
from paicli.system.running_command import CommandOutcome, CommandStatus
from paicli.system.sandbox.confinement import SandboxMode
from paicli.system.sandbox.sandbox import Sandbox, SandboxRefusal
from tests.patience import PATIENCE_S
from tests.system.processes import comes_true, lives

_TRIED = Sandbox(SandboxMode.STRICT, lambda: (), user_home=Path("/none"), own_home=Path("/none"))
REFUSAL = _TRIED.refusal()
_TRIED.close()
needs_sandbox = pytest.mark.skipif(REFUSAL is not None, reason=f"no sandbox here: {REFUSAL}")

Open = Callable[[SandboxMode], CommandRunner]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def opened(root: Path, tmp_path: Path) -> Iterator[Open]:
    (tmp_path / "home" / ".ssh").mkdir(parents=True)
    (tmp_path / "home" / ".ssh" / "id_rsa").write_text("the key")
    (tmp_path / "home" / ".netrc").write_text("the password")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "config.toml").write_text("the api key")
    made: list[tuple[CommandRunner, Sandbox]] = []

    def open_runner(mode: SandboxMode) -> CommandRunner:
        sandbox = Sandbox(
            mode,
            lambda: (root,),
            user_home=tmp_path / "home",
            own_home=tmp_path / "own",
            shown=(STAGE_SCRIPT,),  # a checkout below /tmp is hidden with it
            search_path=os.environ["PATH"],
        )
        runner = CommandRunner(command_environment(os.environ), confine=sandbox.confine)
        made.append((runner, sandbox))
        return runner

    yield open_runner
    for runner, sandbox in made:
        runner.close()
        sandbox.close()


def run(runner: CommandRunner, command: str, cwd: Path, timeout_s: float = PATIENCE_S) -> CommandOutcome:
    return runner.run(command, cwd=cwd, timeout_s=timeout_s, cancel=CancellationToken())


def printed(outcome: CommandOutcome) -> str:
    return outcome.output.head.decode()


@needs_sandbox
@pytest.mark.parametrize("mode", [SandboxMode.WORKSPACE, SandboxMode.STRICT])
def test_a_command_writes_in_the_project_and_its_own_temporary_folder_alone(
    opened: Open, root: Path, tmp_path: Path, mode: SandboxMode
) -> None:
    runner = opened(mode)
    outside = tmp_path / "outside"
    outside.mkdir()
    outcome = run(
        runner,
        f"echo a >inside; mkdir d; echo b >d/e; echo t >$TMPDIR/t; cat $TMPDIR/t; mktemp >/dev/null && echo made;"
        f" for f in {outside}/x ../x ~/x /etc/x /usr/x /x; do echo y >$f; done 2>/dev/null; echo end",
        root,
    )
    assert (outcome.exit_code, printed(outcome)) == (0, "t\nmade\nend\n")
    assert sorted(str(path.relative_to(root)) for path in root.rglob("*")) == ["d", "d/e", "inside"]
    assert list(outside.iterdir()) == []
    assert not any(Path(place, "x").exists() for place in (tmp_path, Path.home(), "/etc", "/usr", "/"))
    assert not Path("/tmp/t").exists()
    assert printed(run(runner, "cat /tmp/t", root)) == "t\n"  # it lasts as long as the session


@needs_sandbox
def test_keys_and_paiclis_own_files_can_not_be_read_and_the_rest_can(opened: Open, root: Path, tmp_path: Path) -> None:
    runner = opened(SandboxMode.WORKSPACE)
    for hidden in ("own/config.toml", "home/.ssh/id_rsa", "home/.netrc"):
        outcome = run(runner, f"cat {tmp_path / hidden}", root)
        assert "the " not in printed(outcome)
        assert outcome.exit_code == 1
    assert run(runner, "cat /etc/passwd >copy && ls /usr/bin >/dev/null", root).exit_code == 0
    assert (root / "copy").read_text() == Path("/etc/passwd").read_text()


@needs_sandbox
def test_git_works_but_its_hooks_and_configuration_stay(opened: Open, root: Path) -> None:
    runner = opened(SandboxMode.WORKSPACE)
    who = "-c user.name=n -c user.email=e@x"
    assert run(runner, "git init -q", root).exit_code == 0
    assert run(runner, f"echo a >a; git add a; git {who} commit -q -m m && git branch b", root).exit_code == 0
    config = (root / ".git/config").read_text()
    (root / ".git/hooks/pre-commit").unlink(missing_ok=True)
    for attack in (
        "echo x >.git/hooks/pre-commit",
        "echo x >>.git/config",
        "git config core.pager x",
        "mv .git other",
        "rm -rf .git/hooks && mkdir .git/hooks",
        "ln -s /tmp .git/hooks/x",
    ):
        assert run(runner, attack, root).exit_code != 0, attack
    assert (root / ".git/config").read_text() == config
    assert not (root / ".git/hooks/pre-commit").exists()


@needs_sandbox
def test_the_strict_one_reaches_no_server_and_the_other_does(opened: Open, root: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        knock = f"exec 3<>/dev/tcp/127.0.0.1/{port}"
        assert run(opened(SandboxMode.STRICT), knock, root).exit_code != 0
        server.settimeout(0.05)
        with pytest.raises(TimeoutError):
            server.accept()
        assert run(opened(SandboxMode.WORKSPACE), knock, root).exit_code == 0
        server.settimeout(5)
        server.accept()[0].close()


@needs_sandbox
@pytest.mark.parametrize(  # C40 C46 C36
    ("command", "exit_code", "stage_codes", "output"),
    [
        ("sh -c 'echo out; exit 1' | tail -1", 0, (1, 0), "out\n"),
        ("seq 1 100000 | head -1", 0, (141, 0), "1\n"),
        ("kill -9 $$", 137, (), ""),
        ("exit 300", 44, None, ""),
        ("cat; echo e >&2; echo o", 0, (0,), "e\no\n"),
        ("sh -c 'echo X >/dev/tty' 2>/dev/null", 2, None, ""),
        ("env | grep -c ^PAICLI_STAGE; id -u", 0, (0,), f"0\n{os.getuid()}\n"),
    ],
)
def test_codes_stages_and_output_are_those_of_the_command(
    opened: Open, root: Path, command: str, exit_code: int, stage_codes: tuple[int, ...] | None, output: str
) -> None:
    outcome = run(opened(SandboxMode.STRICT), command, root)
    assert (outcome.status, outcome.exit_code, printed(outcome)) == (CommandStatus.ENDED, exit_code, output)
    assert stage_codes is None or outcome.stage_codes == stage_codes
    assert outcome.survivors == ()


@needs_sandbox  # C34
def test_a_child_in_the_background_is_named_without_the_sandbox_and_ends_with_the_session(
    opened: Open, root: Path
) -> None:
    runner = opened(SandboxMode.WORKSPACE)
    outcome = run(runner, "sleep 600 & until grep -q sleep /proc/$!/comm; do :; done; echo done", root)
    assert (outcome.exit_code, printed(outcome)) == (0, "done\n")
    assert [survivor.command for survivor in outcome.survivors] == ["sleep 600"]
    pid = outcome.survivors[0].pid
    assert lives(pid)
    runner.close()
    assert comes_true(lambda: not lives(pid))


@needs_sandbox  # C37
def test_a_time_out_ends_everything_and_lets_it_tidy_up_first(opened: Open, root: Path) -> None:
    command = (
        "trap 'echo tidied >tidy; exit' TERM; (sleep 30; touch MARK) & setsid sleep 30 & while :; do sleep .1; done"
    )
    outcome = run(opened(SandboxMode.WORKSPACE), command, root, timeout_s=2)
    assert (outcome.status, outcome.survivors) == (CommandStatus.TIMED_OUT, ())
    assert (root / "tidy").read_text() == "tidied\n"
    assert living_of_this_process() == []


@needs_sandbox  # C37
def test_a_cancel_ends_what_ignores_term(opened: Open, root: Path) -> None:
    runner, cancel, has_begun = opened(SandboxMode.STRICT), CancellationToken(), threading.Event()
    running = runner.start("trap '' TERM; echo begun; while :; do sleep 1; done", cwd=root)
    outcomes: list[CommandOutcome] = []

    def wait() -> None:
        outcomes.append(running.wait(timeout_s=600, cancel=cancel, on_tail=lambda raw: has_begun.set()))

    waiting = threading.Thread(target=wait)
    waiting.start()
    assert has_begun.wait(PATIENCE_S)
    cancel.cancel()
    waiting.join(PATIENCE_S)
    assert (outcomes[0].status, outcomes[0].survivors) == (CommandStatus.CANCELLED, ())
    assert living_of_this_process() == []


@needs_sandbox
def test_a_background_command_of_the_session_is_read_and_stopped(opened: Open, root: Path) -> None:
    background = BackgroundCommands(opened(SandboxMode.STRICT))
    name = background.start("echo up; sleep 30", cwd=root)
    assert comes_true(lambda: background.states()[0].has_ended is False)
    seen: list[bytes] = []

    def is_up() -> bool:
        seen.append(background.look(name).output.head)
        return b"up\n" in b"".join(seen)

    assert comes_true(is_up)
    assert background.stop(name, cancel=CancellationToken()).outcome is not None
    background.close()
    assert living_of_this_process() == []


@needs_sandbox  # C41
def test_a_project_that_is_gone_is_replaced_by_its_nearest_parent(opened: Open, root: Path) -> None:
    root.rmdir()
    outcome = run(opened(SandboxMode.WORKSPACE), "echo hi; pwd", root)
    assert (outcome.exit_code, outcome.cwd, printed(outcome)) == (0, root.parent, f"hi\n{root.parent}\n")


def test_without_its_tool_no_command_runs(root: Path, tmp_path: Path) -> None:
    sandbox = Sandbox(
        SandboxMode.STRICT, lambda: (root,), user_home=tmp_path, own_home=tmp_path / "own", platform="darwin"
    )
    assert sandbox.refusal() == SandboxRefusal("missing", "sandbox-exec")
    runner = CommandRunner(command_environment(os.environ), confine=sandbox.confine)
    with pytest.raises(ToolFailed) as caught:
        run(runner, "touch ran", root)
    assert (caught.value.code, caught.value.fields["program"]) == ("sandbox.missing", "sandbox-exec")
    assert list(root.iterdir()) == []
    runner.close()
    sandbox.close()


def test_a_tool_that_refuses_is_asked_again_and_nothing_runs_meanwhile(root: Path, tmp_path: Path) -> None:
    tool = tmp_path / "bin" / "sandbox-exec"
    tool.parent.mkdir()
    tool.write_text("#!/bin/sh\necho no namespaces here >&2\nexit 1\n")
    tool.chmod(0o755)
    sandbox = Sandbox(
        SandboxMode.WORKSPACE,
        lambda: (root,),
        user_home=tmp_path,
        own_home=tmp_path / "own",
        search_path=str(tool.parent),
        platform="darwin",
    )
    assert sandbox.refusal() == SandboxRefusal("refused", str(tool), "no namespaces here")
    with pytest.raises(ToolFailed):
        sandbox.confine(["true"], {}, cwd=root)
    tool.write_text("#!/bin/sh\nexit 0\n")
    confined = sandbox.confine(["bash", "-c", "x"], {"A": "b", "SSH_AUTH_SOCK": "s"}, cwd=root)
    assert confined.words[0] == str(tool)
    assert confined.words[3:] == ("bash", "-c", "x")
    assert set(confined.environment) == {"A", "TMPDIR"}
    sandbox.close()
    assert not Path(confined.environment["TMPDIR"]).exists()


def test_a_tool_that_the_project_brings_is_no_sandbox(root: Path, tmp_path: Path) -> None:
    tool = root / "sandbox-exec"
    tool.write_text("#!/bin/sh\nexit 0\n")
    tool.chmod(0o755)
    sandbox = Sandbox(
        SandboxMode.WORKSPACE,
        lambda: (root,),
        user_home=tmp_path,
        own_home=tmp_path / "own",
        search_path=f"{root}:.",
        platform="darwin",
    )
    assert sandbox.refusal() == SandboxRefusal("missing", "sandbox-exec")


def living_of_this_process() -> list[process_group.ProcessEntry]:
    """Children of the tests that still run: orphans come to this process."""
    table = process_group.read_processes()
    mine = [entry for entry in table.values() if entry.parent == os.getpid() and not entry.is_dead]
    return [entry for entry in mine if "bwrap" in process_group.command_line(entry.pid)]
