"""The Harbor adapter without Harbor: its shell lines, what it reads back, and the shape that Harbor asks for."""

import ast
import importlib
import importlib.util
import json
import os
import subprocess
from pathlib import Path, PurePosixPath

import pytest
from evals.harbor.commands import (
    SYSTEM_PYTHON,
    RunRequest,
    environment_of,
    install_command,
    prompt_of,
    run_command,
)
from evals.harbor.outcome import RunOutcome, read_outcome

from paicli.core.event_codec import to_record
from paicli.core.events import Event, ModelReplyReceived, Origin
from paicli.core.messages import ChatResponse, Usage
from tests.patience import PATIENCE_S

AGENT = Path(__file__).parents[2] / "evals/harbor/agent.py"


def ran(folder: Path, script: str, request: RunRequest) -> subprocess.CompletedProcess[str]:
    paicli = folder / "paicli"
    paicli.write_text(f"#!/bin/sh\n{script}\n")
    paicli.chmod(0o755)
    command = run_command(request, paicli=str(paicli))
    environ = {"PATH": os.environ["PATH"]}
    return subprocess.run(
        ["bash", "-c", command], check=False, env=environ, capture_output=True, text=True, timeout=PATIENCE_S
    )


def test_a_run_is_called_with_the_task_as_one_word_and_leaves_its_stream(tmp_path: Path) -> None:
    logs = tmp_path / "lo gs"
    request = RunRequest(
        "say 'hi'; $(touch x)\nthen end", PurePosixPath(logs), "glm/glm-5.2", has_web=False, flags="--max-turns 3"
    )
    assert ran(tmp_path, 'for word in "$@"; do printf "%s|" "$word"; done; echo oops >&2', request).returncode == 0
    words = [
        "-p",
        request.instruction,
        "--allowed-tools",
        "*",
        "--output-format",
        "stream-json",
        "--model",
        "glm/glm-5.2",
    ]
    words += ["--disallowed-tools", "web_search,web_fetch", "--max-turns", "3"]
    assert (logs / "paicli.stream.jsonl").read_text() == "".join(f"{word}|" for word in words)
    assert (logs / "paicli.stderr.txt").read_text() == "oops\n"
    assert (logs / "paicli.exit_status").read_text() == "0\n"


@pytest.mark.parametrize(("status", "seen"), [(0, 0), (1, 0), (2, 2), (3, 3), (75, 75), (130, 130)])
def test_what_the_tasks_own_tests_can_judge_is_no_failure_of_the_run(tmp_path: Path, status: int, seen: int) -> None:
    done = ran(tmp_path, f"echo why >&2; exit {status}", RunRequest("x", PurePosixPath(tmp_path / "logs")))
    assert (done.returncode, done.stderr) == (seen, "why\n" if seen else "")
    assert (tmp_path / "logs/paicli.exit_status").read_text() == f"{status}\n"


def test_an_instruction_is_never_taken_for_a_command_of_paicli() -> None:
    def prompt(text: str, *, is_planned: bool = False) -> str:
        return prompt_of(RunRequest(text, PurePosixPath("/logs"), is_planned=is_planned))

    assert [prompt(text) for text in ("/app has a bug", "! fix", "# note", "fix /app")] == [
        "Task: /app has a bug",
        "Task: ! fix",
        "Task: # note",
        "fix /app",
    ]
    assert prompt("/app has a bug", is_planned=True) == "/plan /app has a bug"
    planned = run_command(RunRequest("x", PurePosixPath("/logs"), is_planned=True, is_continued=True))
    assert ("--yes" in planned, "--continue" in planned) == (True, True)


def test_a_run_gets_its_own_providers_key_and_no_other() -> None:
    known = {
        "GLM_API_KEY": "a",
        "OPENAI_API_KEY": "b",
        "PAICLI_BASE_URL": "http://h",
        "HOME": "/x",
        "PAICLI_HOME": "/mine",
    }
    request = RunRequest("x", PurePosixPath("/logs/agent"), "glm/glm-5.2")
    assert environment_of(known, request) == {
        "GLM_API_KEY": "a",
        "PAICLI_BASE_URL": "http://h",
        "PAICLI_HOME": "/logs/agent/paicli-home",
        "PAICLI_LANG": "en",
    }
    assert "OPENAI_API_KEY" in environment_of(known | {"PAICLI_PROVIDER": "openai"}, request._replace(model="gpt-5"))


@pytest.mark.parametrize("text", [SYSTEM_PYTHON, install_command("/installed-agent/paicli 1.whl")])
def test_the_install_lines_are_lines_of_a_plain_shell(text: str) -> None:
    read = subprocess.run(["sh", "-n", "-c", text], check=False, capture_output=True, text=True, timeout=PATIENCE_S)
    assert (read.returncode, read.stderr) == (0, "")


def reply(seq: int, usage: Usage | None, cost_usd: float | None) -> str:
    body = ModelReplyReceived(ChatResponse("x", usage=usage), 0.1, cost_usd)
    return json.dumps(to_record(Event(seq, 0.0, "s", Origin("turn_1", "react"), body)))


def test_tokens_and_cost_are_summed_over_the_journals_even_of_a_run_that_was_killed(tmp_path: Path) -> None:
    assert read_outcome(tmp_path) == RunOutcome(0, 0, 0, 0, None, {})
    folder = tmp_path / "paicli-home/sessions/project"
    folder.mkdir(parents=True)
    head = '{"type":"journal","version":1}'
    lines = [head, reply(1, Usage(100, 40, 5), 0.25), reply(2, None, 0.5), '{"cut']
    (folder / "a.jsonl").write_text("\n".join(lines))
    (folder / "b.jsonl").write_text("\n".join([head, reply(1, Usage(7, 0, 1), 1.0)]))
    journals = ["paicli-home/sessions/project/a.jsonl", "paicli-home/sessions/project/b.jsonl"]
    assert read_outcome(tmp_path) == RunOutcome(3, 107, 40, 6, 1.75, {"journals": journals})
    (folder / "b.jsonl").write_text("\n".join([head, reply(1, Usage(7, 0, 1), None)]))
    assert read_outcome(tmp_path).cost_usd is None


def test_the_last_result_of_the_stream_says_how_it_ended(tmp_path: Path) -> None:
    (tmp_path / "paicli.stream.jsonl").write_text(
        '{"type":"system"}\n{"type":"result","status":"failed","num_turns":1,"session_id":"s","error":"no"}\n'
        '{"type":"result","status":"completed","num_turns":4,"session_id":"s","error":null}\n{"cut'
    )
    (tmp_path / "paicli.exit_status").write_text("0\n")
    assert read_outcome(tmp_path).metadata == {
        "status": "completed",
        "num_turns": 4,
        "session_id": "s",
        "exit_status": 0,
    }


def test_the_agent_has_the_shape_that_harbor_asks_of_an_installed_agent() -> None:
    (agent,) = [
        node
        for node in ast.walk(ast.parse(AGENT.read_text()))
        if isinstance(node, ast.ClassDef) and [ast.unparse(base) for base in node.bases] == ["BaseInstalledAgent"]
    ]
    shapes = {
        method.name: (isinstance(method, ast.AsyncFunctionDef), [argument.arg for argument in method.args.args])
        for method in agent.body
        if isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    assert shapes == {
        "name": (False, []),
        "get_version_command": (False, ["self"]),
        "parse_version": (False, ["self", "stdout"]),
        "install": (True, ["self", "environment"]),
        "run": (True, ["self", "instruction", "environment", "context"]),
        "populate_context_post_run": (False, ["self", "context"]),
    }


def test_the_agent_is_one_of_harbors_own() -> None:
    pytest.importorskip("harbor", reason="Harbor wants Python >= 3.12: make harbor-contract checks it there")
    base = importlib.import_module("harbor.agents.installed.base").BaseInstalledAgent
    agent = importlib.import_module("evals.harbor.agent").Paicli
    assert (issubclass(agent, base), agent.__abstractmethods__) == (True, frozenset())


def test_without_harbor_the_agent_says_what_it_needs() -> None:
    if importlib.util.find_spec("harbor") is not None:
        pytest.skip("Harbor is here: nothing to say")
    with pytest.raises(ImportError, match="needs Harbor"):
        importlib.import_module("evals.harbor.agent")
