"""Areas a, d, e and f of the cases, seen from outside the installed program: what comes in, is kept, and comes back."""

import itertools
import json
import os
import signal
import subprocess
from pathlib import Path

from tests.e2e.harness import (
    PAICLI,
    Finished,
    assert_journals_hold,
    by_actor,
    environment,
    first_user_text,
    plan_json,
    run_paicli,
    task_of,
)
from tests.e2e.strict import StrictScript, ask, sent_calls, started, talk, tool_results
from tests.fakes.openai_server import (
    DONE,
    OpenAiServer,
    RecordedRequest,
    Reply,
    calls,
    delta_event,
    finish_event,
    hang_mid_stream,
    raw_sse,
    say,
    status,
)
from tests.patience import PATIENCE_S

MARKUP = "[/nope] {p}/{t}[/{n}] a[0] [bold]x [link=http://x]y[/link] \\[x]"


def test_c15_ids_that_repeat_are_the_same_after_a_resume_and_stay_unique(project: Path, home: Path) -> None:
    (project / "a").write_text("content of a\n")
    again = calls(("read_file", {"path": "a"}, "call_0"), ("read_file", {"path": "a"}, "call_0"))
    first = ask(project, home, [again, say("一")]).requests
    second = ask(project, home, [again, say("二")], "-c").requests
    for earlier, later in itertools.pairwise([*first, *second]):
        assert later.raw_body.startswith(earlier.raw_body.removesuffix(b"]}"))
    assert ["content of a" in result for result in tool_results(second[-1])] == [True] * 4


def test_c47_markup_is_shown_as_it_is_in_every_place_of_a_session(project: Path, home: Path) -> None:
    name = MARKUP.replace("/", ",")
    (project / name).write_text("x\n")
    steps = [
        calls(("read_file", {"path": name}), (MARKUP, {"path": MARKUP}), ("read_file", {"path": MARKUP})),
        say(MARKUP),
        status(400, {"error": {"message": MARKUP}}),
    ]
    done = talk(project, home, steps, MARKUP, f"/rename {MARKUP}", "/sessions", "两", "/mode [/nope]").done
    echoed = f"> {MARKUP}"
    for shown in (echoed, f"read_file {name}", f"\n{MARKUP}\n", f"会话标题: {MARKUP}\n", "没有模式 [/nope]"):
        assert shown in done.stdout
    title = next(line for line in done.stdout.splitlines() if "custom/test-1  [/nope]" in line)
    assert "[bold]x [link=" in title
    refused = next(line for line in done.stdout.splitlines() if "HTTP 400" in line)
    assert MARKUP in refused
    listed = run_paicli("sessions", project=project, home=home).stdout
    assert "[/nope] {p}/{t}[/{n}] a[0] [bold]x" in listed
    with OpenAiServer([]) as server:
        resumed = run_paicli("-c", project=project, home=home, server=server, stdin="/exit\n")
    assert resumed.status == 0
    assert f"{echoed}\n{MARKUP}\n" in resumed.stdout


STEERING = "A\x1b]52;c;YQ==\x07B\x1b[2JC\x9b6nD\rE"


def is_plain(done: Finished) -> bool:
    return all(letter.isprintable() or letter in "\n\t" for letter in done.stdout + done.stderr)


def test_c48_no_command_tool_or_plan_lets_a_control_sequence_through(project: Path, home: Path) -> None:
    (project / "a.txt").write_text(f"{STEERING}\n")
    (project / "PAI.md").write_text(f"rule {STEERING}\n")
    plan = json.dumps({"summary": STEERING, "tasks": [{"id": STEERING, "description": STEERING, "dependencies": []}]})
    steps = [
        calls(
            ("read_file", {"path": "a.txt"}),
            ("execute_command", {"command": f"cat a.txt; echo '{STEERING}'"}),
            ("todo_write", {"items": [{"text": STEERING, "status": "pending"}]}),
            ("write_file", {"path": f"{STEERING}.txt", "content": STEERING}),
            ("edit_file", {"path": "a.txt", "old_text": "A", "new_text": STEERING}),
            (STEERING, {STEERING: STEERING}),
        ),
        say(STEERING, thinking=STEERING),
        say(plan),
        say(STEERING),
        status(400, {"error": {"message": STEERING}}),
    ]
    commands = ["rename", "help", "model", "mode", "policy", "permissions allow", "restore", "add-dir", "resume"]
    turns = [f"go {STEERING}", *(f"/{command} {STEERING}" for command in commands), f"/plan {STEERING}", "", "again"]
    shown = ["/diff", "/status", "/context", "/todo", "/audit", "/sessions", "/memory", f"!echo '{STEERING}'"]
    done = talk(project, home, steps, *turns, *shown).done
    assert is_plain(done)
    assert done.stdout.count("ABCD^ME") > 10
    for options in (["-p", "x"], ["-p", "x", "--output-format", "stream-json"], ["-c", "-p", "x"]):
        with OpenAiServer([status(400, {"error": {"message": STEERING}})]) as server:
            assert is_plain(run_paicli(*options, project=project, home=home, server=server))


def test_c51_bytes_that_are_no_text_come_in_everywhere_and_go_out_as_one_sign(tmp_path: Path, home: Path) -> None:
    project = Path(os.fsdecode(os.fsencode(tmp_path) + b"/folder\xff"))
    project.mkdir()
    (project / os.fsdecode(b"bad\xff")).write_text("x\n")
    arguments = '{"path":"\\ud83d","content":"\\ud83d\\ude00 \\ud83d"}'
    steps = [
        calls(
            ("list_dir", {}),
            ("write_file", '{"path":"new","content":"\\ud83d\\ude00 \\ud83d"}'),
            ("read_file", arguments),
        ),
        calls(("execute_command", {"command": 'printf %s "$ODD"'})),
        raw_sse(delta_event(content="@").replace(b"@", rb"\ud83d\ude00 \ud83d"), finish_event(), DONE),
    ]
    script = StrictScript([*steps, say("又")])
    with OpenAiServer(script) as server:
        given = {os.fsencode(key): os.fsencode(value) for key, value in environment(home, server).items()}
        given[b"ODD"] = b"\xff\xed\xa0\xbd"

        def run(*words: bytes) -> subprocess.CompletedProcess[bytes]:
            return subprocess.run(
                [os.fsencode(PAICLI), *words], cwd=project, env=given, stdin=subprocess.DEVNULL,
                capture_output=True, check=False, timeout=PATIENCE_S,
            )  # fmt: skip

        first = run(b"-p", b"\xff \xed\xa0\xbd \xf0\x9f\x98\x80")
        second = run(b"-c", b"-p", b"again")
        sent = sent_calls(server.requests[-1])
        asked = first_user_text(server.requests[0])
    assert (first.returncode, first.stdout.decode(), second.returncode) == (0, "😀 \ufffd\n", 0), first.stderr
    assert (script.faults, len(sent)) == ([], 4)
    assert (asked[0], asked[-1]) == ("\ufffd", "😀")
    for _, arguments in sent:
        assert "\ud83d" not in str(json.loads(arguments))
    assert (project / "new").read_bytes() == "😀 \ufffd".encode()
    assert_journals_hold(home)
    for journal in home.rglob("*.jsonl"):
        journal.read_bytes().decode()


def test_c68_a_huge_final_text_of_a_task_is_told_to_the_next_in_part(project: Path, home: Path) -> None:
    huge = "é" * 500_000
    plan = plan_json(("a", "写", ()), ("b", "读", ("a",)))

    def run_task(description: str, request: RecordedRequest) -> Reply:
        return say(huge, piece=65_536) if description == "写" else say("好")

    with OpenAiServer(by_actor(plans=[plan], tasks=run_task)) as server:
        done = run_paicli("-p", "/plan x", "-y", project=project, home=home, server=server)
        (told,) = [first_user_text(request) for request in server.requests if task_of(request) == "读"]
    assert done.status == 0
    assert len(told) < 35_000
    assert "500000" in told
    (kept,) = home.rglob("*.results/*")
    assert kept.read_text() == huge
    assert str(kept) in told


def test_c64_a_signal_ends_the_wait_for_another_try_and_the_stream_beside_it(project: Path, home: Path) -> None:
    def run_task(description: str, request: RecordedRequest) -> Reply:
        busy = status(503, {"error": {"message": "busy"}}, {"Retry-After": "50"})
        return busy if description == "等" else hang_mid_stream(delta_event(content="半句"))

    plan = plan_json(("a", "等", ()), ("b", "说", ()))
    with (
        OpenAiServer(by_actor(plans=[plan], tasks=run_task)) as server,
        started("-p", "/plan x", "-y", project=project, home=home, server=server) as process,
    ):
        streaming = next(request for request in server.wait_for_requests(3) if task_of(request) == "说")
        assert process.stderr is not None
        while "重试" not in (line := process.stderr.readline().decode()):
            assert line
        os.kill(process.pid, signal.SIGINT)
        _, told = process.communicate(timeout=PATIENCE_S)
        assert streaming.client_gone.wait(PATIENCE_S)
        assert len(server.requests) == 3
    assert process.returncode == 130
    assert "Traceback" not in told.decode()
