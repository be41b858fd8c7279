"""Area e of the cases: plans that are none, tasks that meet on a file, endless loops, cancels that reach all."""

import json
import os
import queue
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from paicli.app.settings import ModelSettings, SessionKind, Settings
from paicli.app.wiring.assembly import Assembly, assemble
from paicli.core.cancellation import CancellationToken
from paicli.core.catalogue.lookup import Language
from paicli.core.event_bodies.plans import PlanReviewRequested
from paicli.core.events import Event, TurnFinished, TurnStatus
from paicli.core.messages import (
    AssistantMessage,
    ChatRequest,
    ChatResponse,
    FinishReason,
    ModelCapabilities,
    ToolCall,
    ToolMessage,
)
from paicli.core.ops import DecideReview, ReviewDecision, Submit, TurnKind
from paicli.llm.client import OnDelta
from tests.e2e.harness import (
    Terminal,
    actor_of,
    by_actor,
    first_user_text,
    last_message,
    plan_json,
    run_paicli,
    task_of,
)
from tests.e2e.strict import faults_of, live_processes_in, read_until, started, tool_results, type_into
from tests.fakes.openai_server import (
    OpenAiServer,
    RecordedRequest,
    Reply,
    call,
    calls,
    delta_event,
    hang_mid_stream,
    say,
    status,
)
from tests.patience import PATIENCE_S

GOOD = plan_json(("a", "读取", ()))
TICKS = "`" * 3


def planned(project: Path, home: Path, texts: dict[str, str], *, timeout_s: float = PATIENCE_S) -> dict[str, str]:
    """What the person is told of each planning reply: one request each, no task runs, every plan is invalid."""
    with OpenAiServer([say(text, piece=4_096) for text in texts.values()]) as server:
        lines = "".join(f"/plan {name}\n" for name in texts) + "/exit\n"
        done = run_paicli(project=project, home=home, server=server, stdin=lines, timeout_s=timeout_s)
        assert [actor_of(request) for request in server.requests] == ["planner"] * len(texts)
    assert done.status == 0, done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    told = [line for line in done.stdout.splitlines() if line.startswith("❌ 执行失败: ")]
    return dict(zip(texts, told, strict=True))


def tasks_json(*tasks: Any) -> str:
    return json.dumps({"summary": "s", "tasks": tasks})


def task(name: Any, *needs: Any, **more: Any) -> dict[str, Any]:
    return {"id": name, "description": "d", "dependencies": list(needs), **more}


def test_c57_what_is_no_strict_json_fails_with_its_place_and_nothing_is_repaired(project: Path, home: Path) -> None:
    trailing = GOOD.replace("]}", "],}")
    told = planned(
        project,
        home,
        {
            "prose": f"Plan for {{project}}:\n{TICKS}json\n{trailing}\n{TICKS}\nDone {{ok}}.",
            "example first": f'Like {{"tasks":[]}}:\n{GOOD}',
            "cut off": GOOD[:-10],
            "array": f"[{GOOD}]",
            "comment": GOOD.replace("{", "{ // here\n", 1),
            "after it": f"{GOOD}\nthat is all",
            "twice": GOOD.replace('"summary"', '"tasks": [], "summary"'),
            "unclosed fence": f"{TICKS}json\n{GOOD}",
            "empty": " ",
        },
    )
    syntax = {name for name, line in told.items() if "计划不是合法的 JSON:" in line}
    assert syntax == {"prose", "example first", "cut off", "comment", "after it", "twice", "unclosed fence"}
    assert all(any(sign.isdigit() for sign in told[name]) for name in syntax)
    assert told["array"] == "❌ 执行失败: 计划必须是 JSON 对象"
    assert told["empty"] == "❌ 执行失败: 计划必须包含非空 JSON 对象"


def test_c57_a_bom_a_fence_and_thinking_are_taken_off_and_no_value_is_touched(project: Path, home: Path) -> None:
    odd = f'print ",}}" and {TICKS}'
    plans = [
        f"\ufeff{plan_json(('a', odd, ()))}",
        f"{TICKS}json\n{plan_json(('a', odd, ()))}\n{TICKS}",
        f'<think>{{"tasks": [{{"id": "wrong"}}]}}</think>\n{plan_json(("a", odd, ()))}',
    ]
    script = by_actor(plans=plans, tasks=lambda description, request: say("好"))
    with OpenAiServer(script) as server:
        lines = "".join(f"/plan {number}\n\n" for number in range(3)) + "/exit\n"
        done = run_paicli(project=project, home=home, server=server, stdin=lines)
        asked = [task_of(request) for request in server.requests if actor_of(request) == "task"]
    assert done.status == 0
    assert asked == [odd] * 3


def test_c58_a_bad_graph_is_refused_before_any_task_with_the_ids_and_the_way_of_the_cycle(
    project: Path, home: Path
) -> None:
    chain = [task("t0"), *(task(f"t{number}", f"t{number - 1}") for number in range(1, 2_000))]
    told = planned(
        project,
        home,
        {
            "two": tasks_json(task("t1", "t2"), task("t2", "t1")),
            "one": tasks_json(task("t1", "t1")),
            "unknown": tasks_json(task("t1", "t9")),
            "again": tasks_json(task("t1"), task("t1")),
            "none": tasks_json(),
            "blank": tasks_json(task("t1", description=" ")),
            "numbers": tasks_json(task(1), task(2, "1")),
            "null": tasks_json(task("t1", None)),
            "many": tasks_json(*(task(f"t{number}") for number in range(5_000))),
            "chain": tasks_json(*chain),
            "ring": tasks_json(task("t0", "t1999"), *chain[1:]),
        },
    )
    prefix = "❌ 执行失败: "
    assert told == {
        "two": f"{prefix}计划中存在循环依赖: t1 → t2 → t1",
        "one": f"{prefix}计划中存在循环依赖: t1 → t1",
        "unknown": f"{prefix}计划依赖必须引用已声明的任务 id: t1 → t9",
        "again": f"{prefix}计划中存在重复任务 id: t1",
        "none": f"{prefix}计划 tasks 必须是非空数组",
        "blank": f"{prefix}计划任务 t1 必须具有非空描述",
        "numbers": f"{prefix}计划任务必须具有非空字符串 id",
        "null": told["null"],
        "many": told["many"],
        "chain": told["chain"],
        "ring": told["ring"],
    }
    assert told["null"].startswith(f"{prefix}计划依赖必须引用已声明的任务 id: t1 → ")
    assert told["many"].startswith(f"{prefix}计划任务过多")
    assert told["chain"].startswith(f"{prefix}计划任务过多")
    assert "t1999" in told["ring"]


class Plans:
    """A session in this process whose plans are taken as they come."""

    def __init__(self, assembly: Assembly) -> None:
        self._assembly = assembly
        self._finished: queue.SimpleQueue[TurnFinished] = queue.SimpleQueue()
        assembly.events.subscribe(self._listen)

    def run(self, goal: str) -> TurnFinished:
        self._assembly.submit(Submit(goal, TurnKind.PLAN))
        return self._finished.get(timeout=PATIENCE_S)

    def _listen(self, event: Event) -> None:
        match event.body:
            case PlanReviewRequested(request_id):
                self._assembly.submit(DecideReview(request_id, ReviewDecision.EXECUTE))
            case TurnFinished() as finished:
                self._finished.put(finished)
            case _:
                pass


Call = tuple[str, dict[str, Any]]


class Meeting:
    """The model of two tasks of one round: each reads `files`, and when both have read, each makes its own calls."""

    provider = "scripted"
    model = "scripted-1"
    capabilities = ModelCapabilities()

    def __init__(self, files: tuple[str, ...], acts: dict[str, tuple[Call, ...]]) -> None:
        self._files = files
        self._acts = acts
        self._both = threading.Barrier(2)
        self.told: dict[str, list[str]] = {}
        """Task → what its tools said to its own calls, in the last run."""

    def chat(self, request: ChatRequest, on_delta: OnDelta, cancel: CancellationToken) -> ChatResponse:
        if request.actor == "planner":
            return ChatResponse(plan_json(*((name, name, ()) for name in self._acts)))
        (name,) = [name for name in self._acts if f"当前任务:{name}\n" in request.messages[1].content]
        match sum(isinstance(message, AssistantMessage) for message in request.messages):
            case 0:
                return self._calls(*(("read_file", {"path": file}) for file in self._files))
            case 1:
                self._both.wait(PATIENCE_S)
                return self._calls(*self._acts[name])
            case _:
                results = [message.content for message in request.messages if isinstance(message, ToolMessage)]
                self.told[name] = results[len(self._files) :]
                return ChatResponse(f"{name}完")

    def close(self) -> None:
        pass

    @staticmethod
    def _calls(*named: Call) -> ChatResponse:
        made = (ToolCall(f"c{number}", name, json.dumps(given)) for number, (name, given) in enumerate(named))
        return ChatResponse("", tool_calls=tuple(made), finish_reason=FinishReason.TOOL_CALLS)


@contextmanager
def plans_of(project: Path, home: Path, meeting: Meeting, monkeypatch: pytest.MonkeyPatch) -> Iterator[Plans]:
    """The whole engine as it is wired for a session, but for the model."""
    monkeypatch.setattr("paicli.app.wiring.beginning.front.open_client", lambda model, session_kind, **told: meeting)
    settings = Settings(Language.ZH, home, project, ModelSettings("custom", "test-1", "http://127.0.0.1:9"))
    assembly = assemble(settings, session_kind=SessionKind.UNATTENDED)
    try:
        yield Plans(assembly)
    finally:
        assembly.close()


RUNS = 100
FEWER_RUNS = 30


def edit(path: str, old: str, new: str) -> Call:
    return ("edit_file", {"path": path, "old_text": old, "new_text": new})


@pytest.mark.parametrize("second_name", ["f", "./f", "link"])
def test_c60_two_anchored_edits_of_one_round_both_stand_under_whatever_name(
    project: Path, home: Path, monkeypatch: pytest.MonkeyPatch, second_name: str
) -> None:
    (project / "link").symlink_to("f")
    meeting = Meeting(("f", second_name), {"甲": (edit("f", "A", "A1"),), "乙": (edit(second_name, "B", "B2"),)})
    (project / "f").write_text("")
    ended: set[tuple[str, str]] = set()
    with plans_of(project, home, meeting, monkeypatch) as plans:
        for _ in range(RUNS):
            (project / "f").write_text("A\nB\n")
            finished = plans.run("改")
            ended.add((finished.status.value, (project / "f").read_text()))
    assert ended == {("completed", "A1\nB2\n")}
    assert (project / "link").is_symlink()


@pytest.mark.parametrize("second_name", ["f", "link"])
def test_c60_of_two_whole_overwrites_one_wins_and_the_other_is_told_by_whom(
    project: Path, home: Path, monkeypatch: pytest.MonkeyPatch, second_name: str
) -> None:
    (project / "link").symlink_to("f")
    contents = {"甲": "first\n", "乙": "second\n"}
    names = {"甲": "f", "乙": second_name}
    acts: dict[str, tuple[Call, ...]] = {
        task: (("write_file", {"path": names[task], "content": contents[task]}),) for task in contents
    }
    meeting = Meeting(tuple(dict.fromkeys(names.values())), acts)
    (project / "f").write_text("")
    with plans_of(project, home, meeting, monkeypatch) as plans:
        for _ in range(FEWER_RUNS):
            (project / "f").write_text("A\nB\n")
            plans.run("写")
            (winner,) = [task for task, (told,) in meeting.told.items() if "已写入" in told]
            (loser,) = {"甲", "乙"} - {winner}
            assert (project / "f").read_text() == contents[winner]
            assert "没有写入" in meeting.told[loser][0]
            assert f"task_{1 if winner == '甲' else 2}" in meeting.told[loser][0]


def test_c60_two_files_in_opposite_order_block_nobody(
    project: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    acts = {
        "甲": (edit("f", "A", "A1"), edit("g", "A", "A1")),
        "乙": (edit("g", "B", "B2"), edit("f", "B", "B2")),
    }
    ended: set[tuple[str, str, str]] = set()
    (project / "f").write_text("")
    (project / "g").write_text("")
    with plans_of(project, home, Meeting(("f", "g"), acts), monkeypatch) as plans:
        for _ in range(FEWER_RUNS):
            for name in "fg":
                (project / name).write_text("A\nB\n")
            finished = plans.run("改")
            ended.add((finished.status.value, *((project / name).read_text() for name in "fg")))
    assert ended == {("completed", "A1\nB2\n", "A1\nB2\n")}


def test_c60_an_overlap_stands_in_the_summary(project: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "f").write_text("A\nB\n")
    meeting = Meeting(("f",), {"甲": (edit("f", "A", "A1"),), "乙": (edit("f", "B", "B2"),)})
    with plans_of(project, home, meeting, monkeypatch) as plans:
        finished = plans.run("改")
    assert finished.status is TurnStatus.COMPLETED
    assert f"⚠️ 同一轮的任务 task_1 与 task_2 都涉及文件 {project}/f" in finished.text


THREE = plan_json(("a", "记录", ()), ("b", "构建", ("a",)), ("c", "汇报", ("b",)))


def log_line(request: RecordedRequest) -> Reply:
    """One line more in log.txt, once per task."""
    if last_message(request)["role"] == "tool":
        return say("记录好了")
    return call("execute_command", {"command": "echo line >>log.txt"})


def test_c61_a_replan_is_told_what_is_done_and_what_it_plans_again_is_marked(project: Path, home: Path) -> None:
    def run_task(description: str, request: RecordedRequest) -> Reply:
        match description:
            case "记录":
                return log_line(request)
            case "构建":
                return status(400, {"error": {"message": "no compiler"}})
            case _:
                return say(f"{description}好了")

    obeying = plan_json(("b2", "换个办法构建", ()), ("c", "汇报", ("b2",)))
    again = plan_json(("a", "记录", ()), ("b2", "换个办法构建", ("a",)))
    with OpenAiServer(by_actor(plans=[THREE, obeying, THREE, again], tasks=run_task)) as server:
        lines = "/plan 目标\n\n\n/plan 目标\n\ncancel\n/exit\n"
        done = run_paicli(project=project, home=home, server=server, stdin=lines)
        planning = [first_user_text(request) for request in server.requests if actor_of(request) == "planner"]
        built = next(request for request in server.requests if task_of(request) == "换个办法构建")
    assert done.status == 0, done.stderr
    assert "已完成的任务:\n- task_1: 记录\n  结果: 记录好了\n" in planning[1]
    assert "no compiler" in planning[1]
    assert "不要重复执行" in planning[1]
    assert "记录好了" in first_user_text(built)
    assert (project / "log.txt").read_text() == "line\nline\n"  # once in each of the two turns
    first, second = done.stdout.split("> /plan 目标")[1:]
    assert "✅ 计划执行完成!" in first
    assert "⏹️ 已取消本次计划执行。" in second
    assert "与已完成的任务相同: task_1" in second


def test_c61_a_planner_that_never_learns_is_stopped_with_a_report(project: Path, home: Path) -> None:
    def run_task(description: str, request: RecordedRequest) -> Reply:
        return status(400, {"error": {"message": "no compiler"}}) if description == "构建" else say("好了")

    with OpenAiServer(by_actor(plans=[THREE] * 3, tasks=run_task)) as server:
        done = run_paicli("-p", "/plan 目标", "-y", project=project, home=home, server=server)
        asked = [actor_of(request) for request in server.requests]
    assert (done.status, asked.count("planner"), asked.count("task")) == (1, 3, 6)
    assert "🛑 已达到重新规划上限(2 次),停止执行剩余任务。" in done.stderr
    assert "⚠️ 计划部分完成,有任务失败。" in done.stdout
    assert "[task_1] 好了" in done.stdout
    assert "任务 task_2 失败: " in done.stdout
    assert "任务 task_3 已跳过: 已达到重新规划上限" in done.stdout


def looping(project: Path, home: Path, *cycle: Reply, steps: int) -> tuple[list[str], list[dict[str, Any]]]:
    """Roles and last messages of a `-p` turn whose model repeats `cycle` until its tools are taken away."""

    def answer(request: RecordedRequest) -> Reply:
        return cycle[request.number % len(cycle)] if "tools" in request.body else say("只做到这里")

    with OpenAiServer(answer) as server:
        done = run_paicli("-p", "x", project=project, home=home, server=server)
        requests = server.requests
    assert done.status == 1
    assert done.stdout.startswith("⚠️ 部分完成(")
    assert "只做到这里" in done.stdout
    assert len(requests) == steps + 1
    assert [faults_of(request.body) for request in requests] == [[]] * len(requests)
    users = [message["content"] for message in requests[-1].body["messages"] if message["role"] == "user"]
    return users, requests[-1].body["messages"]


def test_c62_the_same_call_is_noticed_after_three_and_ended_after_five_steps(project: Path, home: Path) -> None:
    (project / "a").write_text("x\n")
    one, other = '{"path":"a","limit":1}', '{"limit":1,"path":"a"}'
    users, _ = looping(project, home, call("read_file", one), call("read_file", other), steps=5)
    assert [text[:2] for text in users] == ["x", "提醒", "工具"]
    users, _ = looping(project, home, call("write_file", {"path": "b", "content": "y"}), steps=5)
    assert [text[:2] for text in users] == ["x", "提醒", "工具"]
    users, messages = looping(project, home, call("execute_command", {"command": "wc -c log; echo >>log"}), steps=5)
    assert [text[:2] for text in users] == ["x", "提醒", "工具"]
    results = [message["content"] for message in messages if message["role"] == "tool"]
    assert len(set(results)) == 5


def test_c62_broken_arguments_and_cycles_end_too_and_a_limit_of_steps_ends_what_never_repeats(
    project: Path, home: Path
) -> None:
    for name in "ab":
        (project / name).write_text("x\n")
    users, _ = looping(project, home, call("read_file", '{"path"'), steps=5)
    assert [text[:2] for text in users] == ["x", "提醒", "工具"]
    both = [call("read_file", {"path": name}) for name in "ab"]
    users, _ = looping(project, home, *both, steps=10)
    assert users[-1].startswith("工具")

    def ever_new(request: RecordedRequest) -> Reply:
        if "tools" not in request.body:
            return say("只做到这里")
        return call("read_file", {"path": "a", "offset": request.number + 1})

    with OpenAiServer(ever_new) as server:
        done = run_paicli("-p", "x", "--max-turns", "12", project=project, home=home, server=server)
        assert len(server.requests) == 13
    assert (done.status, "⚠️ 部分完成(" in done.stdout) == (1, True)


FIVE = plan_json(*((name, name, ()) for name in ("一", "二", "三", "四", "五")))
ENDLESS = "trap '' TERM; echo started >{fifo}; while :; do echo x >>{name}.log; sleep .1; done"


class Busy:
    """Three tasks run commands, the fourth streams, the fifth waits for its turn; then the plan is cancelled."""

    def __init__(self, project: Path) -> None:
        self._project = project
        self.streaming: RecordedRequest | None = None
        for name in ("一", "二", "三"):
            os.mkfifo(project / f"{name}.fifo")

    def __call__(self, request: RecordedRequest) -> Reply:
        match actor_of(request):
            case "planner":
                return say(FIVE)
            case "react":
                return say("接着说")
            case _:
                name = task_of(request)
        if name == "四":
            self.streaming = request
            return hang_mid_stream(delta_event(content="半句"))
        text = ENDLESS.format(name=name, fifo=f"{name}.fifo")
        return call("execute_command", {"command": f"bash -c '{text.replace(chr(39), chr(34))}'"})

    def wait_until_all_run(self, server: OpenAiServer) -> None:
        for name in ("一", "二", "三"):
            assert (self._project / f"{name}.fifo").read_text() == "started\n"
        server.wait_for_requests(5)

    def check_all_ended(self, server: OpenAiServer) -> None:
        assert live_processes_in(self._project) == []
        assert self.streaming is not None
        assert self.streaming.client_gone.wait(PATIENCE_S)
        assert [task_of(request) for request in server.requests].count("五") == 0


def test_c64_one_signal_ends_every_task_of_a_round_and_the_run(project: Path, home: Path) -> None:
    busy = Busy(project)
    with (
        OpenAiServer(busy) as server,
        started("-p", "/plan x", "-y", project=project, home=home, server=server) as process,
    ):
        busy.wait_until_all_run(server)
        os.kill(process.pid, signal.SIGINT)
        answer, told = process.communicate(timeout=PATIENCE_S)
        busy.check_all_ended(server)
    assert process.returncode == 130, told.decode()
    assert "Traceback" not in told.decode()
    assert "⏹️ 已取消当前计划执行。" in answer.decode() + told.decode()
    (journal,) = home.rglob("sessions/*/*.jsonl")
    types = [json.loads(line)["type"] for line in journal.read_text(encoding="utf-8").splitlines()]
    assert types[-1] == "session_finished"


def test_c64_ctrl_c_three_times_cancels_the_plan_once_and_the_session_goes_on(project: Path, home: Path) -> None:
    busy = Busy(project)
    with (
        OpenAiServer(busy) as server,
        Terminal(project=project, home=home, server=server) as terminal,
    ):
        terminal.wait_for("AUTO")
        terminal.press("/plan x\r")
        terminal.wait_for("📝 计划已生成。")
        terminal.press("\r")
        busy.wait_until_all_run(server)
        terminal.press("\x03\x03\x03")
        terminal.wait_for("已取消当前计划执行。")
        terminal.wait_until(lambda text: live_processes_in(project) == [], "the end of every command")
        busy.check_all_ended(server)
        terminal.press("然后呢\r")
        terminal.wait_for("接着说")
        assert faults_of(server.requests[-1].body) == []
        terminal.press("/exit\r")
        assert terminal.wait_end() == 0


def test_c64_a_signal_in_line_mode_cancels_the_turn_and_the_next_request_is_valid(project: Path, home: Path) -> None:
    os.mkfifo(project / "ready")
    waiting = "sh -c 'trap \"\" TERM; sleep 60 & echo started >ready; wait'"

    def answer(request: RecordedRequest) -> Reply:
        if request.number:
            return say("接着说")
        return calls(("execute_command", {"command": waiting}), ("execute_command", {"command": "touch never"}))

    with OpenAiServer(answer) as server, started(project=project, home=home, server=server) as process:
        type_into(process, "跑\n")
        assert (project / "ready").read_text() == "started\n"
        os.kill(process.pid, signal.SIGINT)
        said, errors = process.communicate("然后呢\n/exit\n".encode(), timeout=PATIENCE_S)
        assert (process.returncode, errors) == (0, b"")
        last = server.requests[-1]
    assert faults_of(last.body) == []
    assert all("取消" in result for result in tool_results(last))
    assert "接着说" in said.decode()
    assert not (project / "never").exists()
    assert live_processes_in(project) == []


def test_c64_a_signal_while_an_approval_is_open_cancels_every_task_and_writes_nothing(
    project: Path, home: Path
) -> None:
    def writes(description: str, request: RecordedRequest) -> Reply:
        return call("write_file", {"path": description, "content": "x"})

    four = plan_json(*((name, name, ()) for name in ("一", "二", "三", "四")))
    with (
        OpenAiServer(by_actor(plans=[four], tasks=writes, react=[say("接着说")])) as server,
        started("--mode", "ask", project=project, home=home, server=server) as process,
    ):
        type_into(process, "/plan x\n\n")
        read_until(process, "允许?")
        server.wait_for_requests(5)  # the plan, and each of the four tasks
        os.kill(process.pid, signal.SIGINT)
        read_until(process, "已取消当前计划执行。")
        rest, errors = process.communicate("然后呢\n/exit\n".encode(), timeout=PATIENCE_S)
        assert (process.returncode, errors) == (0, b"")
        assert [actor_of(request) for request in server.requests].count("task") == 4
        assert faults_of(server.requests[-1].body) == []
    assert "接着说" in rest.decode()
    assert list(project.iterdir()) == []
