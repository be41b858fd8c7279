import itertools
import json
import threading
from pathlib import Path

import pytest

from tests.e2e.harness import last_message, run_paicli
from tests.fakes.openai_server import OpenAiServer, RecordedRequest, Reply, call, calls, say, status
from tests.patience import PATIENCE_S

SOURCE = "def add(a, b):\n    return a - b\n"
TEST = "from calc import add\n\ndef test_add():\n    assert add(2, 3) == 5\n"


def test_a_turn_reads_edits_and_runs_a_test_on_a_real_project(project: Path, home: Path) -> None:
    (project / "calc.py").write_text(SOURCE)
    (project / "test_calc.py").write_text(TEST)
    command = "python3 -c 'import test_calc; test_calc.test_add(); print(\"1 passed\")'"
    script = [
        calls(("read_file", {"path": "calc.py"}), ("read_file", {"path": "test_calc.py"}), text="先看代码"),
        calls(
            ("edit_file", {"path": "calc.py", "old_text": "a - b", "new_text": "a + b"}),
            ("execute_command", {"command": command}),
        ),
        say("修好了,测试通过。"),
    ]
    with OpenAiServer(script) as server:
        done = run_paicli("-p", "修复 add", project=project, home=home, server=server)
        requests = server.requests
    assert (done.status, done.stdout) == (0, "修好了,测试通过。\n"), done.stderr
    assert (project / "calc.py").read_text() == "def add(a, b):\n    return a + b\n"
    reads = [m["content"] for m in requests[1].body["messages"] if m["role"] == "tool"]
    assert "return a - b" in reads[0]
    assert "assert add(2, 3) == 5" in reads[1]
    results = [m["content"] for m in requests[2].body["messages"] if m["role"] == "tool"]
    assert "1 passed" in results[3]
    assert all('trust="untrusted"' in result for result in results)
    assert "● edit_file" in done.stderr
    assert "sk-canary" not in done.stdout + done.stderr


def test_each_requests_messages_are_a_byte_prefix_of_the_next_ones(project: Path, home: Path) -> None:
    (project / "a.txt").write_text("文本\n")
    script = [*(call("read_file", {"path": "a.txt", "offset": n}) for n in (1, 2)), say("好")]
    script += [call("list_dir", {}), say("再见")]
    with OpenAiServer(script) as server:
        run_paicli(project=project, home=home, server=server, stdin="看\n再看\n/exit\n")
        raw = [request.raw_body for request in server.requests]
    assert len(raw) == 5
    for earlier, later in itertools.pairwise(raw):
        assert later.startswith(earlier.removesuffix(b"]}"))  # the messages stand last


def test_stale_writes_are_refused_and_the_persons_change_stays(project: Path, home: Path) -> None:  # C32
    note = project / "f"
    note.write_text("A\nB\n")

    def answer(request: RecordedRequest) -> Reply:
        match len(request.body["messages"]):
            case 2:
                return call("read_file", {"path": "f"})
            case 4:
                note.write_text("A\nB\nC\n")
                return call("write_file", {"path": "f", "content": "A2\nB\n"})
            case _:
                return say("停")

    with OpenAiServer(answer) as server:
        run_paicli("-p", "改 f", project=project, home=home, server=server)
    assert note.read_text() == "A\nB\nC\n"


def test_keys_reach_no_child_no_journal_and_no_screen(project: Path, home: Path) -> None:  # C42
    script = [call("execute_command", {"command": "env; cat /proc/$PPID/environ; ps -eo args"}), say("好")]
    with OpenAiServer(script) as server:
        done = run_paicli(
            "-p", "x", "--verbose", project=project, home=home, server=server, OPENAI_API_KEY="sk-canary-2345678901"
        )
        result = last_message(server.requests[1])["content"]
    assert done.status == 0, done.stderr
    assert "PATH=" in result
    assert "sk-canary" not in result + done.stdout + done.stderr
    written = [path.read_bytes() for path in home.rglob("*") if path.is_file()]
    assert written
    assert not any(b"sk-canary" in data for data in written)


def test_what_cannot_be_meant_never_runs(project: Path, home: Path) -> None:
    (project / "keep").write_text("x")
    script = [call("execute_command", {"command": 'echo would run; sudo -n true; rm -rf "$HOME"'}), say("好吧")]
    with OpenAiServer(script) as server:
        done = run_paicli("-p", "x", project=project, home=home, server=server)
        result = last_message(server.requests[1])["content"]
    assert done.status == 0
    assert "would run" not in result.replace("echo would run", "")
    assert home.exists()


def test_reads_of_one_reply_run_in_parallel_and_their_answers_stand_in_order(project: Path, home: Path) -> None:
    for number in range(4):
        (project / f"{number}.txt").write_text(f"file {number}\n")
    script = [calls(*[("read_file", {"path": f"{number}.txt"}) for number in range(4)]), say("好")]
    with OpenAiServer(script) as server:
        run_paicli("-p", "x", project=project, home=home, server=server)
        answers = [m["content"] for m in server.requests[1].body["messages"] if m["role"] == "tool"]
    assert [f"file {number}" in answer for number, answer in enumerate(answers)] == [True] * 4
    (journal,) = home.rglob("sessions/*/*.jsonl")
    records = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
    assert [record["is_parallel"] for record in records if record["type"] == "tool_started"] == [True] * 4


@pytest.mark.parametrize(
    ("replies", "exit_status", "said"),
    [
        ([status(401, {"error": {"message": "bad key"}})], 1, "bad key"),
        ([status(404, {"detail": "Not Found"})], 1, "404"),
        ([status(429, {"error": {"message": "slow"}}, {"Retry-After": "0"})] * 5, 75, "slow"),
    ],
)
def test_a_failing_endpoint_ends_with_its_words_and_the_right_status(
    project: Path, home: Path, replies: list[Reply], exit_status: int, said: str
) -> None:
    with OpenAiServer(replies) as server:
        done = run_paicli("-p", "x", project=project, home=home, server=server)
        assert len(server.requests) == len(replies)
    assert (done.status, done.stdout) == (exit_status, "")
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) <= 12


def test_two_processes_at_once_have_journals_of_their_own(project: Path, home: Path) -> None:
    both = threading.Barrier(2)

    def answer(request: RecordedRequest) -> Reply:
        both.wait(PATIENCE_S)
        return say("好")

    results = []
    with OpenAiServer(answer) as server:

        def run() -> None:
            results.append(run_paicli("-p", "x", project=project, home=home, server=server).status)

        threads = [threading.Thread(target=run) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE_S)
    assert results == [0, 0]
    assert len(list(home.rglob("sessions/*/*.jsonl"))) == 2
