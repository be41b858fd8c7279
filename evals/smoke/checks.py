"""The runs of the smoke test and what must hold of each, by its journal. What the model says is never judged.

The model may only list, print and look: no other command is allowed to it.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from evals.e1_replay import check as replayed
from evals.e1_replay import read_journal

PAICLI = str(Path(sys.executable).with_name("paicli"))
TOOL = "execute_command"
ALLOWED = ("ls", "pwd", "cat", "echo", "head")
FIRST_PROMPT_TOKENS = 1_500
WAIT_S = 120
PROMPTS = (
    "Print the text of notes.txt.",
    "Show the working directory.",
    "Print the first line of notes.txt with head.",
)
"""Tried until one makes the model call the tool: a forced call of so small a model never ends."""
PLAN_FIELDS = {"id": str, "description": str, "type": str, "dependencies": list}
JSON_FAULTS = ("plan.invalid.empty", "plan.invalid.json", "plan.invalid.object", "plan.invalid.tasks")
"""Or beginnings of them."""

Record = dict[str, Any]


class Check(NamedTuple):
    name: str
    holds: bool
    seen: str
    """What was there, for the case that it doesn't hold."""


class SmokeRun:
    """One `paicli -p` in a project and home of its own (or of the run before), and the journal that is there then."""

    def __init__(self, folder: Path, base_url: str, prompt: str, *flags: str, extra: str = "") -> None:
        project, home = folder / "project", folder / "home"
        project.mkdir(parents=True, exist_ok=True)
        home.mkdir(exist_ok=True)
        (project / "notes.txt").write_text("buy milk\n")
        (home / "config.toml").write_text(f"[model]\ntemperature = 0\nextra_body = {{ seed = 1, {extra} }}\n")
        (home / "config.toml").chmod(0o600)
        environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "PAICLI_HOME": str(home),
            "PAICLI_PROVIDER": "llamacpp",
            "PAICLI_MODEL": "smollm2-135m-instruct",
            "PAICLI_BASE_URL": base_url,
        }
        rules = ",".join(f"{TOOL}({command}:*)" for command in ALLOWED)
        given = [PAICLI, "-p", prompt, "--tools", TOOL, "--allowed-tools", rules, "--output-format", "json", *flags]
        done = subprocess.run(
            given, check=False, cwd=project, env=environ, capture_output=True, text=True, timeout=WAIT_S
        )
        self.status, self.stderr = done.returncode, done.stderr
        self.result: Record = json.loads(done.stdout) if done.stdout.startswith("{") else {}
        journals = list(home.rglob("sessions/**/*.jsonl"))
        self.records: list[Record] = read_journal(journals[0].read_text(encoding="utf-8")) if journals else []

    def of(self, kind: str) -> list[Record]:
        return [record for record in self.records if record["type"] == kind]

    @property
    def replies(self) -> list[Record]:
        return [record["response"] for record in self.of("model_reply_received")]

    def common_checks(self, name: str) -> Iterator[Check]:
        usages = [reply["usage"] for reply in self.replies]
        faults = self.of("model_request_failed")
        yield Check(
            f"{name}: the server took every request", bool(self.replies) and not faults, f"{faults} {self.stderr}"
        )
        counted = bool(usages) and all(usage and usage["input_tokens"] and usage["output_tokens"] for usage in usages)
        yield Check(f"{name}: tokens are counted", counted, str(usages))
        violations = replayed(self.records)
        yield Check(f"{name}: the journal keeps the replayer's rules", not violations, str(violations))


def call_checks(folder: Path, base_url: str) -> Iterator[Check]:
    """A turn that ends in a call, then one more in the same session: its request carries the call and the result."""
    for number, prompt in enumerate(PROMPTS):
        place = folder / str(number)
        run = SmokeRun(place, base_url, prompt, "--max-turns", "1", extra="max_tokens = 200")
        calls = [call for reply in run.replies for call in reply["tool_calls"]]
        if calls:
            break
    yield from run.common_checks("a call")
    ends = [reply["finish_reason"] for reply in run.replies]
    yield Check("a call: a reply ends in calls", "tool_calls" in ends, str(run.replies))
    whole = bool(calls) and all(
        call["name"] == TOOL and call["id"] and isinstance((parsed(call["arguments"]) or {}).get("command"), str)
        for call in calls
    )
    yield Check("a call: streamed whole, arguments by the tool's schema", whole, str(calls))
    finished = [record["call_id"] for record in run.of("tool_finished")]
    yield Check(
        "a call: each was carried out or refused once", finished == [call["id"] for call in calls], str(finished)
    )
    prompt_tokens = run.replies[0]["usage"]["input_tokens"] if run.replies else 0
    small = 0 < prompt_tokens < FIRST_PROMPT_TOKENS
    yield Check(f"a call: prompt and tools under {FIRST_PROMPT_TOKENS} tokens", small, str(prompt_tokens))
    after = SmokeRun(place, base_url, "Thank you.", "--continue", extra='tool_choice = "none", max_tokens = 40')
    yield from after.common_checks("after a call")
    answered = [
        record["message"]["call_id"] for record in after.of("message_appended") if "call_id" in record["message"]
    ]
    yield Check("after a call: its result was sent", answered == [call["id"] for call in calls] != [], str(answered))


def answer_checks(folder: Path, base_url: str) -> Iterator[Check]:
    run = SmokeRun(folder, base_url, "Say hello in one short sentence.", extra='tool_choice = "none", max_tokens = 60')
    yield from run.common_checks("an answer")
    deltas = [record["text"] for record in run.of("model_delta")]
    text = "".join(reply["content"] for reply in run.replies)
    yield Check("an answer: there is one", bool(text.strip()), str(run.replies))
    yield Check(
        "an answer: the result is the reply", run.result.get("result", "").strip() in text, f"{run.result} {deltas}"
    )


def plan_checks(folder: Path, base_url: str) -> Iterator[Check]:
    """The server holds the reply to the plan's schema, so that only ids and edges are left to be wrong."""
    goal = "/plan Print the text of notes.txt"
    run = SmokeRun(folder, base_url, goal, extra="max_tokens = 1500, repeat_penalty = 1.2")
    yield from run.common_checks("/plan")
    reply = run.replies[0] if run.replies else {"content": "", "finish_reason": ""}
    if reply["finish_reason"] == "length":  # a small model may never close a string: what there is began by the schema
        yield Check(
            "/plan: begins as the schema says", reply["content"].lstrip(" {\n\t").startswith('"summary"'), str(reply)
        )
        return
    yield Check("/plan: the reply is the schema's JSON", is_by_schema(parsed(reply["content"])), reply["content"])
    faults = [record["fault"]["code"] for record in run.of("plan_rejected")]
    stands = bool(run.of("plan_created")) or not any(fault.startswith(JSON_FAULTS) for fault in faults)
    yield Check("/plan: it is a plan, or only its ids and edges are wrong", stands, f"{faults} {run.stderr}")


def parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return None


def is_by_schema(plan: object) -> bool:
    if not isinstance(plan, dict) or set(plan) != {"summary", "tasks"} or not plan["tasks"]:
        return False
    return all(
        set(task) == set(PLAN_FIELDS) and all(isinstance(task[name], kind) for name, kind in PLAN_FIELDS.items())
        for task in plan["tasks"]
    )
