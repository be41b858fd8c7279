import io
import json
import os
import signal
from collections.abc import Callable
from typing import Any

import pytest

from paicli.app.options import ExitStatus
from paicli.app.streams import Streams
from paicli.app.unattended.print_mode import Progress, Review, Thinking, UnattendedTurn, run_unattended
from paicli.app.unattended.stream_json import StreamJsonOutput
from paicli.app.unattended.turn_output import Ending, JsonOutput, PlanTextOutput, TextOutput, TurnOutput
from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.event_bodies.person import PolicyTightened
from paicli.core.event_bodies.plans import (
    PlanCause,
    PlanCreated,
    PlanFinished,
    PlanReviewRequested,
    RoundCommitted,
    RoundStarted,
    TaskCompleted,
    TaskFailed,
    TaskStarted,
)
from paicli.core.events import (
    ApprovalRequested,
    BudgetExhausted,
    CompactionFinished,
    DeltaKind,
    Event,
    MessageAppended,
    ModelDelta,
    ModelReplyReceived,
    ModelRequestStarted,
    ModelRetryScheduled,
    Notice,
    NoticeLevel,
    Origin,
    SessionStarted,
    ToolFinished,
    ToolStarted,
    TurnFinished,
    TurnStarted,
    TurnStatus,
    UrlTrusted,
)
from paicli.core.faults import Fault
from paicli.core.messages import (
    AssistantMessage,
    ChatResponse,
    FinishReason,
    ToolCall,
    ToolMessage,
    ToolOutcome,
    Usage,
    UserMessage,
)
from paicli.core.ops import (
    ApprovalDecision,
    Cancel,
    DecideApproval,
    DecideReview,
    Mode,
    ReviewDecision,
    Submit,
    TurnKind,
)
from paicli.core.plan_view import PlanEnding, PlanReport, PlanStatus, PlanView, TaskStatus, TaskType, TaskView
from paicli.ui.facts import ColorUse
from tests.fakes.scripted_assembly import ScriptedAssembly

TEXTS = Texts(Language.EN)
UNREACHABLE = Fault("llm.stream_cut", (("said", ": cut"), ("url", "http://h/v1")), is_retryable=True)
REFUSED = Fault("plan.invalid.empty")
PLAN = PlanView(
    id="plan-1",
    goal="look around",
    summary="",
    status=PlanStatus.CREATED,
    tasks=(
        TaskView("task_1", "list it", TaskType.FILE_READ, TaskStatus.PENDING),
        TaskView("task_2", "sum up", TaskType.ANALYSIS, TaskStatus.PENDING, dependencies=("task_1",)),
    ),
    order=("task_1", "task_2"),
    batches=(("task_1",), ("task_2",)),
    leaves=("task_2",),
)
PLANNED = (PlanCreated(PLAN, PlanCause.GOAL), PlanReviewRequested("request_1", PLAN, PlanCause.GOAL))
Script = Callable[[ScriptedAssembly], None]


class Broken(io.StringIO):
    """A pipe whose reader is gone."""

    def write(self, text: str, /) -> int:
        raise BrokenPipeError


def done(text: str = "all good", status: TurnStatus = TurnStatus.COMPLETED, fault: Fault | None = None) -> TurnFinished:
    return TurnFinished(status, text, fault, Usage(100, 40, 20, 5), steps=3, duration_s=1.5)


def ends_with(finished: TurnFinished) -> Script:
    return lambda engine: engine.publish(finished)


class Ran:
    """One run against a script, and what came of it."""

    def __init__(
        self,
        script: Script,
        output: Callable[[Streams, ScriptedAssembly], TurnOutput] | None = None,
        *,
        review: Review = Review.STOP,
        stdout: io.StringIO | None = None,
        thinking: Thinking = Thinking.HIDDEN,
    ) -> None:
        self.stdout, self.stderr = stdout or io.StringIO(), io.StringIO()
        self.assembly = ScriptedAssembly(script)
        streams = Streams(None, self.stdout, self.stderr)
        out = output(streams, self.assembly) if output else TextOutput(streams)
        progress = Progress(streams, TEXTS, color=ColorUse.NEVER, is_ascii=False, thinking=thinking)
        self.status = run_unattended(self.assembly, UnattendedTurn(Submit("hi"), review), output=out, progress=progress)

    @property
    def out(self) -> str:
        return self.stdout.getvalue()

    @property
    def told(self) -> str:
        return self.stderr.getvalue()

    @property
    def records(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.splitlines()]


def as_json(streams: Streams, assembly: ScriptedAssembly) -> TurnOutput:
    return JsonOutput(streams, TEXTS, assembly.events.session_id)


def as_lines(streams: Streams, assembly: ScriptedAssembly) -> TurnOutput:
    started = SessionStarted("0.1.0", "scripted", "scripted-1", Mode.AUTO, "/work", "en", ("read_file",))
    return StreamJsonOutput(streams, TEXTS, session_id=assembly.events.session_id, started=lambda: started)


ENDINGS = [
    (done(), ExitStatus.DONE, "success"),
    (done(status=TurnStatus.PARTIAL), ExitStatus.FAILED, "error_partial"),
    (done("", TurnStatus.FAILED, REFUSED), ExitStatus.FAILED, "error_during_execution"),
    (done("", TurnStatus.FAILED, UNREACHABLE), ExitStatus.UNREACHABLE, "error_unreachable"),  # C18 C20
    (done("", TurnStatus.CANCELLED), ExitStatus.CANCELLED, "error_cancelled"),
]


@pytest.mark.parametrize(("finished", "status", "subtype"), ENDINGS)
def test_each_ending_has_its_exit_status_in_every_format(
    finished: TurnFinished, status: ExitStatus, subtype: str
) -> None:
    text, json_run, lines = (
        Ran(ends_with(finished)),
        Ran(ends_with(finished), as_json),
        Ran(ends_with(finished), as_lines),
    )

    assert [text.status, json_run.status, lines.status] == [status] * 3
    assert text.out == (f"{finished.text}\n" if finished.text else "")
    assert [json_run.records[0]["status"], lines.records[-1]["status"]] == [finished.status.value] * 2
    assert [json_run.records[0]["is_error"], lines.records[-1]["is_error"]] == [status is not ExitStatus.DONE] * 2
    assert lines.records[-1]["subtype"] == subtype
    assert [run.assembly.ops for run in (text, json_run, lines)] == [[Submit("hi")]] * 3


def test_a_failure_says_why_on_stderr_and_nothing_on_stdout() -> None:
    ran = Ran(ends_with(done("", TurnStatus.FAILED, REFUSED)))

    assert ran.out == ""
    assert ran.told.count(TEXTS.screen("plan.invalid.empty")) == 1


def test_what_a_cancelled_plan_completed_is_told_on_stderr() -> None:
    ran = Ran(ends_with(done("[task_1] done so far", TurnStatus.CANCELLED)))

    assert (ran.out, ran.told) == ("", "[task_1] done so far\n")


def test_an_answer_goes_out_whole_and_as_it_is() -> None:
    text = "line\r\n\x1b[31mred 你好\n" + "x" * 200_000

    assert Ran(ends_with(done(text))).out == text + "\n"


def test_json_is_one_object() -> None:
    assert Ran(ends_with(done("你好")), as_json).records == [
        {
            "type": "result",
            "result": "你好",
            "status": "completed",
            "is_error": False,
            "error": None,
            "session_id": "session-1",
            "usage": {
                "input_tokens": 60,
                "cache_read_input_tokens": 40,
                "output_tokens": 20,
                "reasoning_tokens": 5,
            },
            "plan": None,
            "total_cost_usd": None,
            "duration_ms": 1500,
        }
    ]


def test_json_of_a_plan_carries_its_last_statuses() -> None:
    finished_plan = PLAN._replace(status=PlanStatus.COMPLETED)

    def script(engine: ScriptedAssembly) -> None:
        engine.publish(
            PlanCreated(PLAN, PlanCause.GOAL), PlanReviewRequested("request_1", PLAN, PlanCause.GOAL), actor="planner"
        )
        decided = engine.wait_for(DecideReview)
        assert decided == DecideReview("request_1", ReviewDecision.EXECUTE, by="option")
        engine.publish(PlanFinished(PlanReport(finished_plan, PlanEnding.COMPLETED)), done("summary"))

    record = Ran(script, as_json, review=Review.ACCEPT).records[0]

    assert (record["result"], record["plan"]["status"]) == ("summary", "COMPLETED")
    assert [task["id"] for task in record["plan"]["tasks"]] == ["task_1", "task_2"]


@pytest.mark.parametrize("status", [TurnStatus.CANCELLED, TurnStatus.PARTIAL])
def test_a_plan_without_yes_is_shown_and_stopped(status: TurnStatus) -> None:
    def script(engine: ScriptedAssembly) -> None:
        engine.publish(
            PlanCreated(PLAN, PlanCause.GOAL), PlanReviewRequested("request_1", PLAN, PlanCause.GOAL), actor="planner"
        )
        assert engine.wait_for(DecideReview) == DecideReview("request_1", ReviewDecision.STOP, by="nobody")
        engine.publish(done("", status))

    text, json_run, lines = Ran(script), Ran(script, as_json), Ran(script, as_lines)

    assert [text.status, json_run.status, lines.status] == [ExitStatus.STOPPED_FOR_REVIEW] * 3
    assert text.out == ""
    for shown in ("look around", "task_1", "list it", "task_2", "sum up"):
        assert shown in text.told
    assert (json_run.records[0]["is_error"], json_run.records[0]["plan"]["id"]) == (True, "plan-1")
    assert lines.records[-1]["subtype"] == "error_stopped_for_review"


def test_an_approval_is_denied_by_nobody_and_the_turn_goes_on() -> None:
    def script(engine: ScriptedAssembly) -> None:
        engine.publish(ApprovalRequested("request_7", "call_1", "write_file", "{}"))
        assert engine.wait_for(DecideApproval) == DecideApproval("request_7", ApprovalDecision.DENY, by="nobody")
        engine.publish(done("did without"))

    ran = Ran(script)

    assert (ran.status, ran.out) == (ExitStatus.DONE, "did without\n")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_cancels_the_turn(number: signal.Signals) -> None:
    def script(engine: ScriptedAssembly) -> None:
        os.kill(os.getpid(), number)
        engine.wait_for_cancel()
        engine.publish(done("", TurnStatus.CANCELLED))

    before = signal.getsignal(number)
    ran = Ran(script)

    assert (ran.status, ran.assembly.ops) == (ExitStatus.CANCELLED, [Submit("hi"), Cancel()])
    assert signal.getsignal(number) is before


def test_a_second_signal_leaves_a_turn_that_does_not_end() -> None:
    def script(engine: ScriptedAssembly) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        engine.wait_for_cancel()
        os.kill(os.getpid(), signal.SIGINT)

    ran = Ran(script, as_json)

    assert (ran.status, ran.records[0]["status"]) == (ExitStatus.CANCELLED, "cancelled")


def test_an_ignored_hangup_stays_ignored() -> None:
    def script(engine: ScriptedAssembly) -> None:
        os.kill(os.getpid(), signal.SIGHUP)
        engine.publish(done())

    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert Ran(script).status is ExitStatus.DONE
    finally:
        signal.signal(signal.SIGHUP, before)


def test_an_answer_nobody_could_read_is_no_success() -> None:  # C52
    assert Ran(ends_with(done()), stdout=Broken()).status is ExitStatus.FAILED
    assert Ran(ends_with(done()), as_json, stdout=Broken()).status is ExitStatus.FAILED


def test_a_reader_that_went_away_cancels_the_turn() -> None:
    def script(engine: ScriptedAssembly) -> None:
        engine.publish(TurnStarted(TurnKind.REACT, "hi", Mode.AUTO), ModelRequestStarted(1, 2, ()))
        engine.wait_for_cancel()
        engine.publish(done("", TurnStatus.CANCELLED))

    ran = Ran(script, as_lines, stdout=Broken())

    # The cancel was not the person's: it is neither a cancel nor a word on the screen.
    assert (ran.status, ran.told, ran.assembly.ops) == (ExitStatus.FAILED, "", [Submit("hi"), Cancel()])


def test_progress_is_told_without_the_answer_and_without_control_sequences() -> None:
    def script(engine: ScriptedAssembly) -> None:
        engine.publish(
            ModelDelta(DeltaKind.TEXT, "the answer"),
            ToolStarted("call_1", "read_file", '{"path": "a.py"}'),
            ToolFinished("call_1", "read_file", ToolOutcome.OK, "1\tx", None, 0.1),
            Notice(Fault("llm.bad_header", (("name", "\x1b]0;title\x07X"),)), NoticeLevel.WARNING),
            done("the answer"),
        )

    ran = Ran(script)

    assert ran.out == "the answer\n"
    assert "read_file a.py" in ran.told
    assert "the answer" not in ran.told
    assert "\x1b" not in ran.told


@pytest.mark.parametrize(("thinking", "told"), [(Thinking.HIDDEN, 0), (Thinking.SHOWN, 1)])
def test_thinking_is_told_only_when_asked_for_and_whole(thinking: Thinking, told: int) -> None:
    def script(engine: ScriptedAssembly) -> None:
        engine.publish(
            ModelDelta(DeltaKind.THINKING, "first \x1b[2"),
            ModelDelta(DeltaKind.THINKING, "Jsecond"),
            ModelDelta(DeltaKind.TEXT, "the answer"),
            ModelReplyReceived(ChatResponse("the answer"), 0.1),
            done("the answer"),
        )

    ran = Ran(script, thinking=thinking)

    assert ran.told == "🧠 first second\n" * told
    assert ran.out == "the answer\n"


def test_stream_json_of_a_turn_with_a_tool() -> None:
    call = ToolCall("call_1", "read_file", '{"path": "a.py"}')
    message = AssistantMessage("let me see", "hmm", (call, ToolCall("call_2", "x", "not json")))

    def script(engine: ScriptedAssembly) -> None:
        engine.publish(
            MessageAppended(UserMessage("hi")),
            ModelReplyReceived(
                ChatResponse("let me see", "hmm", (call,), FinishReason.TOOL_CALLS, Usage(10, 4, 3, 1)), 0.2
            ),
            MessageAppended(message),
            ToolStarted("call_1", "read_file", '{"path": "a.py"}'),
            ToolFinished("call_1", "read_file", ToolOutcome.OK, "1\tx", None, 0.1),
            ToolFinished("call_2", "x", ToolOutcome.FAILED, "no such tool", None, 0.1),
            MessageAppended(ToolMessage("call_1", "read_file", "wrapped")),
            ModelRetryScheduled(2, 5, 0.5, REFUSED),
            CompactionFinished(9_000, is_summarised=True),
            BudgetExhausted("steps"),
            ModelReplyReceived(ChatResponse("fine"), 0.2),
            MessageAppended(AssistantMessage("fine")),
            done("fine", TurnStatus.PARTIAL),
        )

    fixed = {"parent_tool_use_id": None, "session_id": "session-1"}
    reply = {"type": "message", "role": "assistant", "model": "scripted-1"}

    def answered(call_id: str, content: str, is_error: bool) -> dict[str, Any]:
        block = {"type": "tool_result", "tool_use_id": call_id, "content": content, "is_error": is_error}
        return {"type": "user", "message": {"role": "user", "content": [block]}} | fixed

    assert Ran(script, as_lines).records == [
        {
            "type": "system",
            "subtype": "init",
            "cwd": "/work",
            "model": "scripted-1",
            "provider": "scripted",
            "permissionMode": "auto",
            "tools": ["read_file"],
            "paicli_version": "0.1.0",
            "session_id": "session-1",
        },
        {
            "type": "assistant",
            "message": reply
            | {
                "content": [
                    {"type": "thinking", "thinking": "hmm"},
                    {"type": "text", "text": "let me see"},
                    {"type": "tool_use", "id": "call_1", "name": "read_file", "input": {"path": "a.py"}},
                    {"type": "tool_use", "id": "call_2", "name": "x", "input": {"_raw": "not json"}},
                ],
                "stop_reason": "tool_use",
                "usage": {
                    "input_tokens": 6,
                    "cache_read_input_tokens": 4,
                    "output_tokens": 3,
                    "reasoning_tokens": 1,
                },
            },
        }
        | fixed,
        answered("call_1", "1\tx", is_error=False),
        answered("call_2", "no such tool", is_error=True),
        {
            "type": "system",
            "subtype": "retry",
            "attempt": 2,
            "max_attempts": 5,
            "wait_s": 0.5,
            "error": TEXTS.screen("plan.invalid.empty"),
            "session_id": "session-1",
        },
        {
            "type": "system",
            "subtype": "compaction_finished",
            "estimated_tokens": 9_000,
            "is_summarised": True,
            "fault": None,
            "message_count": 0,
            "session_id": "session-1",
        },
        {"type": "system", "subtype": "budget_exhausted", "reason": "steps", "session_id": "session-1"},
        {
            "type": "assistant",
            "message": reply
            | {"content": [{"type": "text", "text": "fine"}], "stop_reason": "end_turn", "usage": None},
        }
        | fixed,
        {
            "type": "result",
            "subtype": "error_max_turns",
            "is_error": True,
            "status": "partial",
            "result": "fine",
            "error": TEXTS.screen("cli.partial"),
            "num_turns": 3,
            "duration_ms": 1500,
            "total_cost_usd": None,
            "usage": {
                "input_tokens": 60,
                "cache_read_input_tokens": 40,
                "output_tokens": 20,
                "reasoning_tokens": 5,
            },
            "plan": None,
            "session_id": "session-1",
        },
    ]


def test_the_first_line_waits_until_what_the_turn_offers_is_known_and_comes_before_the_request() -> None:
    tools = ["read_file", "write_file"]
    stdout = io.StringIO()

    def started() -> SessionStarted:
        return SessionStarted("0.1.0", "p", "m", Mode.AUTO, "/work", "en", tuple(tools))

    lines = StreamJsonOutput(Streams(None, stdout, None), TEXTS, session_id="s", started=started)
    for body in (
        TurnStarted(TurnKind.REACT, "hi", Mode.AUTO),
        PolicyTightened(("read_only",)),
        UrlTrusted("https://a.example/", "user"),
    ):
        lines.on_event(Event(1, 0.0, "s", Origin("turn_1"), body))
    assert stdout.getvalue() == ""
    tools.remove("write_file")
    lines.on_event(Event(4, 0.0, "s", Origin("turn_1"), ModelRequestStarted(1, 2, ("read_file",))))
    tools.clear()
    lines.finish(Ending(done("fine"), ExitStatus.DONE))
    init, result = map(json.loads, stdout.getvalue().splitlines())
    assert (init["subtype"], init["tools"], result["type"]) == ("init", ["read_file"], "result")


def test_stream_json_of_a_plan_names_rounds_and_tasks() -> None:
    def script(engine: ScriptedAssembly) -> None:
        engine.publish(
            PlanCreated(PLAN, PlanCause.GOAL), PlanReviewRequested("request_1", PLAN, PlanCause.GOAL), actor="planner"
        )
        engine.wait_for(DecideReview)
        engine.publish(RoundStarted(("task_1",)), round_number=1)
        engine.publish(TaskStarted("list it", is_alone=True), actor="task_1", task="task_1", round_number=1)
        engine.publish(
            ToolFinished("call_1", "list_dir", ToolOutcome.OK, "a", None, 0.1),
            TaskCompleted("a"),
            TaskFailed(REFUSED),
            actor="task_1",
            task="task_1",
            round_number=1,
        )
        engine.publish(RoundCommitted(("task_1",), (), 0.5), round_number=1)
        engine.publish(done())

    records = Ran(script, as_lines, review=Review.ACCEPT).records

    in_task = {"session_id": "session-1", "plan_id": "plan-1", "round": 1, "task_id": "task_1"}
    assert [(record["type"], record.get("subtype")) for record in records] == [
        ("system", "init"),
        ("plan", "created"),
        ("round", "started"),
        ("task", "started"),
        ("user", None),
        ("task", "completed"),
        ("task", "failed"),
        ("round", "committed"),
        ("result", "success"),
    ]
    assert records[1]["view"]["tasks"][1]["dependencies"] == ["task_1"]
    assert records[2] == {
        "type": "round",
        "subtype": "started",
        "plan_id": "plan-1",
        "round": 1,
        "task_ids": ["task_1"],
        "session_id": "session-1",
    }
    assert (
        records[3]
        == {
            "type": "task",
            "subtype": "started",
            "description": "list it",
            "is_alone": True,
        }
        | in_task
    )
    assert records[4]["task_id"] == "task_1"
    assert records[6]["error"] == TEXTS.screen("plan.invalid.empty")


def test_a_stream_that_can_not_say_chinese_gets_escaped_json() -> None:
    raw = io.BytesIO()
    stdout = io.TextIOWrapper(raw, encoding="latin-1")

    streams = Streams(None, stdout, io.StringIO())
    assembly = ScriptedAssembly(ends_with(done("你好")))
    progress = Progress(streams, TEXTS, color=ColorUse.NEVER, is_ascii=False)
    run_unattended(assembly, UnattendedTurn(Submit("hi")), output=as_json(streams, assembly), progress=progress)

    assert json.loads(raw.getvalue())["result"] == "你好"
    assert raw.getvalue().isascii()


def test_the_plan_command_prints_the_plan_and_keeps_it() -> None:
    outputs: list[PlanTextOutput] = []

    def as_plan(streams: Streams, assembly: ScriptedAssembly) -> TurnOutput:
        outputs.append(PlanTextOutput(streams, TEXTS))
        return outputs[-1]

    def script(engine: ScriptedAssembly) -> None:
        engine.publish(PlanCreated(PLAN, PlanCause.GOAL), done(""), actor="planner")

    ran = Ran(script, as_plan)

    assert (ran.status, outputs[0].plan) == (ExitStatus.DONE, PLAN)
    for shown in ("look around", "task_1", "list it", "task_2", "sum up"):
        assert shown in ran.out


def test_a_failed_plan_command_prints_and_keeps_nothing() -> None:
    outputs: list[PlanTextOutput] = []

    def as_plan(streams: Streams, assembly: ScriptedAssembly) -> TurnOutput:
        outputs.append(PlanTextOutput(streams, TEXTS))
        return outputs[-1]

    ran = Ran(ends_with(done("", TurnStatus.FAILED, REFUSED)), as_plan)

    assert (ran.status, outputs[0].plan, ran.out) == (ExitStatus.FAILED, None, "")
