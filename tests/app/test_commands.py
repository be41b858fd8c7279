import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from paicli.app.command_line import parse_command_line
from paicli.app.commands import run_command
from paicli.app.options import ExitStatus
from paicli.app.settings import SessionKind, Settings
from paicli.app.streams import Streams
from paicli.core.errors import SettingsError
from paicli.core.event_bodies.plans import PlanCause, PlanCreated, PlanReviewRequested
from paicli.core.events import TurnFinished, TurnStatus
from paicli.core.faults import Fault
from paicli.core.ops import DecideReview, ReviewDecision, RunShell, Submit, TurnKind
from paicli.core.plan_view import PlanStatus, PlanView, TaskStatus, TaskType, TaskView
from paicli.plan.stored import stored_plan
from tests.fakes.scripted_assembly import ScriptedAssembly

PLAN = PlanView(
    id="plan-1",
    goal="look around",
    summary="one step",
    status=PlanStatus.CREATED,
    tasks=(TaskView("task_1", "list it", TaskType.FILE_READ, TaskStatus.PENDING),),
    order=("task_1",),
    batches=(("task_1",),),
    leaves=("task_1",),
)
DONE = TurnFinished(TurnStatus.COMPLETED, "done")
Script = Callable[[ScriptedAssembly], None]


def finishes(engine: ScriptedAssembly) -> None:
    engine.publish(DONE)


def plans(engine: ScriptedAssembly) -> None:
    engine.publish(PlanCreated(PLAN, PlanCause.GOAL), TurnFinished(TurnStatus.COMPLETED, ""))


def reviews(engine: ScriptedAssembly) -> None:
    engine.publish(PlanReviewRequested("request_1", PLAN, PlanCause.FILE))
    decided = engine.wait_for(DecideReview)
    status = TurnStatus.COMPLETED if decided.decision is ReviewDecision.EXECUTE else TurnStatus.CANCELLED
    engine.publish(TurnFinished(status, f"by {decided.by}"))


class Ran:
    """One call of paicli against a scripted engine."""

    def __init__(
        self, tmp_path: Path, argv: list[str], script: Script = finishes, *, piped: bytes = b"", stdout: Any = ""
    ) -> None:
        home = tmp_path / "home"
        home.mkdir(exist_ok=True)
        environ = {"PAICLI_HOME": str(home), "PAICLI_LANG": "en", "GLM_API_KEY": "key-of-glm"}
        self.stdout, self.stderr = io.StringIO(), io.StringIO()
        self.assembly = ScriptedAssembly(script)
        self.kinds: list[SessionKind] = []

        def assemble(settings: Settings, *, session_kind: SessionKind) -> ScriptedAssembly:
            self.settings = settings
            self.kinds.append(session_kind)
            return self.assembly

        (tmp_path / "stdin").write_bytes(piped)
        with (tmp_path / "stdin").open() as stdin:
            streams = Streams(stdin, stdout if stdout is None else self.stdout, self.stderr)
            self.status = run_command(parse_command_line(argv), environ, streams=streams, assemble=assemble)

    @property
    def out(self) -> str:
        return self.stdout.getvalue()


def error_of(tmp_path: Path, argv: list[str], **given: Any) -> SettingsError:
    with pytest.raises(SettingsError) as raised:
        Ran(tmp_path, argv, pytest.fail, **given)
    return raised.value


@pytest.mark.parametrize(
    ("argv", "piped", "op"),
    [
        (["-p", "hi"], b"", Submit("hi")),
        (["-p", "hi"], b"some text\n", Submit("hi", attachments="some text\n")),
        (["-p", "-"], b"from the pipe\n", Submit("from the pipe")),
        (["-p"], b"/plan from the pipe", Submit("from the pipe", TurnKind.PLAN)),
        (["-p", "/plan tidy up"], b"", Submit("tidy up", TurnKind.PLAN)),
        (["-p", "/usr/bin/x is slow"], b"", Submit("/usr/bin/x is slow")),
    ],
)
def test_a_text_is_routed_like_a_line_of_the_session(tmp_path: Path, argv: list[str], piped: bytes, op: Submit) -> None:
    ran = Ran(tmp_path, argv, piped=piped)

    assert (ran.assembly.ops, ran.kinds) == ([op], [SessionKind.UNATTENDED])
    assert (ran.status, ran.out, ran.stderr.getvalue()) == (ExitStatus.DONE, "done\n", "")
    assert ran.assembly.is_closed


@pytest.mark.parametrize(
    ("argv", "piped", "code"),
    [
        (["-p", " "], b"not asked for", "cli.text_missing"),
        (["-p", "-"], b"", "cli.text_missing"),
        (["-p"], b" \n", "cli.text_missing"),
        (["-p", "/paln x"], b"", "session.unknown_command_near"),
        (["-p", "/xyzzy"], b"", "session.unknown_command"),
        (["-p", "/plan"], b"", "cli.text_not_a_turn"),
        (["-p", "/exit"], b"", "cli.text_not_a_turn"),
        (["-p", "/mode ask"], b"", "cli.text_not_a_turn"),
    ],
)
def test_what_is_no_turn_asks_no_model(tmp_path: Path, argv: list[str], piped: bytes, code: str) -> None:
    assert error_of(tmp_path, argv, piped=piped).code == code


def test_a_persons_own_command_is_run_as_such(tmp_path: Path) -> None:
    class ShellAssembly(ScriptedAssembly):
        def submit(self, op: Any) -> None:
            super().submit(op)
            if isinstance(op, RunShell):
                finishes(self)

    ran_ops: list[Any] = []
    home = tmp_path / "home"
    home.mkdir()

    def assemble(settings: Settings, *, session_kind: SessionKind) -> ScriptedAssembly:
        assembly = ShellAssembly(finishes)
        ran_ops.append(assembly.ops)
        return assembly

    with open(os.devnull) as stdin:
        status = run_command(
            parse_command_line(["-p", "!ls"]),
            {"PAICLI_HOME": str(home), "GLM_API_KEY": "k"},
            streams=Streams(stdin, io.StringIO(), io.StringIO()),
            assemble=assemble,
        )

    assert (status, ran_ops) == (ExitStatus.DONE, [[RunShell("ls")]])


def test_piped_text_over_the_limit_is_cut_with_a_warning(tmp_path: Path) -> None:
    ran = Ran(tmp_path, ["-p", "hi"], piped=b"x" * 1_000_001)

    assert ran.assembly.ops == [Submit("hi", attachments="x" * 1_000_000)]
    assert ran.stderr.getvalue() == "paicli: warning: Standard input was cut after 1000000 bytes\n"


def test_a_closed_stdout_is_said_before_a_model_is_asked(tmp_path: Path) -> None:  # C52
    assert error_of(tmp_path, ["-p", "hi"], stdout=None).code == "cli.stdout_closed"


def test_an_unknown_key_of_the_configuration_is_a_warning(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "config.toml").write_text("[ui]\nlangauge = 1\n")

    ran = Ran(tmp_path, ["-p", "hi"])

    assert ran.stderr.getvalue() == f"paicli: warning: {tmp_path}/home/config.toml:2:1: ui.langauge: no such key\n"
    assert ran.status is ExitStatus.DONE


def test_the_engine_is_closed_when_the_turn_breaks(tmp_path: Path) -> None:
    class BrokenAssembly(ScriptedAssembly):
        def submit(self, op: Any) -> None:
            raise RuntimeError("broken")

    assembly = BrokenAssembly(finishes)
    (tmp_path / "home").mkdir()

    with open(os.devnull) as stdin, pytest.raises(RuntimeError, match="broken"):
        run_command(
            parse_command_line(["-p", "hi"]),
            {"PAICLI_HOME": str(tmp_path / "home"), "GLM_API_KEY": "k"},
            streams=Streams(stdin, io.StringIO(), io.StringIO()),
            assemble=lambda settings, session_kind: assembly,
        )

    assert assembly.is_closed


def test_a_session_without_a_terminal_goes_line_by_line(tmp_path: Path) -> None:  # C52
    ran = Ran(tmp_path, [], piped=b"hello\n")

    assert (ran.status, ran.kinds) == (ExitStatus.DONE, [SessionKind.INTERACTIVE])
    assert ran.assembly.ops[0] == Submit("hello")
    assert ran.assembly.is_closed


def test_the_plan_command_prints_and_stores_the_plan(tmp_path: Path) -> None:
    target = tmp_path / "plan.json"

    ran = Ran(tmp_path, ["plan", "look around", "--out", str(target)], plans)

    assert (ran.status, ran.assembly.ops) == (ExitStatus.DONE, [Submit("look around", TurnKind.PLAN_ONLY)])
    assert json.loads(target.read_text()) == {
        "goal": "look around",
        "summary": "one step",
        "tasks": [{"id": "task_1", "description": "list it", "type": "FILE_READ", "dependencies": []}],
    }
    assert "list it" in ran.out
    assert "list it" not in ran.stderr.getvalue()
    assert str(target) in ran.stderr.getvalue()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "plan.json", "stdin"]


def test_a_stored_plan_replaces_the_target_of_a_link_and_keeps_its_mode(tmp_path: Path) -> None:
    real = tmp_path / "real.json"
    real.write_text("old")
    real.chmod(0o640)
    (tmp_path / "link.json").symlink_to(real)

    Ran(tmp_path, ["plan", "look around", "--out", str(tmp_path / "link.json")], plans)

    assert (tmp_path / "link.json").is_symlink()
    assert json.loads(real.read_text())["goal"] == "look around"
    assert real.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("named", ["missing/plan.json", "folder", "file/plan.json", "fifo"])
def test_a_place_that_can_not_be_written_is_named_before_a_model_is_asked(tmp_path: Path, named: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")
    os.mkfifo(tmp_path / "fifo")

    error = error_of(tmp_path, ["plan", "x", "--out", str(tmp_path / named)])

    assert (error.code, error.fields["path"]) == ("cli.file_unwritable", str(tmp_path / named))


def test_a_failed_plan_stores_nothing(tmp_path: Path) -> None:
    def fails(engine: ScriptedAssembly) -> None:
        engine.publish(TurnFinished(TurnStatus.FAILED, "", Fault("plan.invalid.empty")))

    ran = Ran(tmp_path, ["plan", "x", "--out", str(tmp_path / "plan.json")], fails)

    assert (ran.status, ran.out) == (ExitStatus.FAILED, "")
    assert not (tmp_path / "plan.json").exists()


@pytest.mark.parametrize(
    ("options", "status", "by"),
    [
        (["--yes"], ExitStatus.DONE, "option"),
        ([], ExitStatus.STOPPED_FOR_REVIEW, "nobody"),
        (["--output-format", "json"], ExitStatus.STOPPED_FOR_REVIEW, "nobody"),
    ],
)
def test_a_stored_plan_is_run_with_yes_and_stopped_without(
    tmp_path: Path, options: list[str], status: ExitStatus, by: str
) -> None:
    path = tmp_path / "plan.json"
    path.write_text("\ufeff" + stored_plan(PLAN))

    ran = Ran(tmp_path, ["run", str(path), *options], reviews)

    submitted, decided = ran.assembly.ops
    assert (ran.status, submitted) == (status, Submit(stored_plan(PLAN), TurnKind.PLAN_FILE))
    assert isinstance(decided, DecideReview)
    assert decided.by == by


@pytest.mark.parametrize(
    ("raw", "code", "place"),
    [
        (b'{"goal": "x",\n "tasks": [}', "cli.plan_file_invalid_at", "2:12"),
        (b'{"goal": "x", "tasks": []}', "cli.plan_file_invalid", ""),
        (b'{"tasks": [{"id": "a", "description": "b"}]}', "cli.plan_file_invalid", ""),
        (b'{"goal": "caf\xe9"}', "cli.file_unreadable", ""),
        (b"", "cli.plan_file_invalid", ""),
    ],
)
def test_a_broken_plan_file_is_named_with_its_place(tmp_path: Path, raw: bytes, code: str, place: str) -> None:
    path = tmp_path / "plan.json"
    path.write_bytes(raw)

    error = error_of(tmp_path, ["run", str(path)])

    assert (error.code, error.fields["path"]) == (code, str(path))
    assert ":".join(str(error.fields[name]) for name in ("line", "column") if name in error.fields) == place


@pytest.mark.parametrize("named", ["missing.json", ".", "a\0b"])
def test_a_plan_file_that_can_not_be_read_is_named(tmp_path: Path, named: str) -> None:
    assert error_of(tmp_path, ["run", str(tmp_path / named)]).code == "cli.file_unreadable"
