"""The key that paicli was given must come out nowhere, whatever a server, a command or a person makes of it."""

import base64
import json
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.e2e.harness import Terminal, run_paicli
from tests.fakes.openai_server import OpenAiServer, Reply, call, calls, say, status

CANARY = "canary-Value/49+Key"
FORMS = (
    CANARY,
    quote(CANARY, safe=""),
    base64.b64encode(CANARY.encode()).decode()[:-4],
    CANARY.replace("/", "\\/"),
)
ASKS = ("--allowed-tools", "*")


def echoing() -> list[Reply]:
    """A server that says the key in its text, its thinking, a call's arguments, an error and its headers."""
    long_output = f"for i in $(seq 2000); do echo 'the key is {CANARY}'; done"
    spread = f"printf '{CANARY[:9]}'; sleep 0.2; printf '{CANARY[9:]}\\n'"
    return [
        calls(
            ("execute_command", {"command": f"echo {CANARY}; env; cat /proc/$PPID/environ | tr '\\0' '\\n'"}),
            ("execute_command", {"command": long_output}),
            ("execute_command", {"command": spread}),
            ("execute_command", {"command": f"sleep 0.1; echo {CANARY}", "background": True}),
            ("read_file", {"path": f"no/{CANARY}"}),
            ("grep_code", {"pattern": CANARY}),
            ("todo_write", {"items": [{"text": f"use {CANARY}", "status": "pending"}]}),
            ("execute_command", f'{{"command": 3, "x": "{CANARY}"}}'),
            (f"unknown_{CANARY[:6]}", {"key": CANARY}),
            text=f"I was given {CANARY}.",
            thinking=f"The key is {CANARY}, in a URL {quote(CANARY, safe='')}.",
        ),
        call("command_output", {"id": "bg_1"}),
        say(f"Your key: {CANARY}; Base64 {base64.b64encode(CANARY.encode()).decode()}.", piece=3),
    ]


def rejected() -> Reply:
    return status(401, {"error": {"message": f"wrong key {CANARY}", "code": CANARY}}, {"x-key": CANARY})


def files_that_tell(*folders: Path) -> list[str]:
    return [
        str(path)
        for folder in folders
        for path in folder.rglob("*")
        if path.is_file() and any(form.encode() in path.read_bytes() for form in FORMS)
    ]


def enter(screen: Terminal, text: str) -> None:
    screen.press(text)
    screen.wait_for(f"> {text}")
    screen.wait_quiet()
    screen.press("\r")


@pytest.mark.parametrize("sandbox", ["off", "workspace"])
def test_in_a_session_neither_the_terminal_nor_a_file_ever_shows_it(project: Path, home: Path, sandbox: str) -> None:
    with (
        OpenAiServer([*echoing(), rejected()]) as server,
        Terminal(
            *ASKS,
            "--sandbox",
            sandbox,
            project=project,
            home=home,
            server=server,
            size=(40, 120),
            PAICLI_API_KEY=CANARY,
        ) as screen,
    ):
        screen.wait_for("输入任务")
        enter(screen, "go on")
        screen.wait_for("Your key:")
        enter(screen, "again")
        screen.wait_for("401")
        for typed, shown in (
            ("/audit", "execute_command"),
            ("/export md out.md", "out.md"),
            ("/export json out.json", "out.json"),
            ("/config", f'sandbox.mode             "{sandbox}"'),
            ("/tasks", "bg_1"),
            ("/bug", "config.toml"),
        ):
            enter(screen, typed)
            screen.wait_for(shown)
            screen.wait_quiet()
        enter(screen, "/exit")
        assert screen.wait_end() == 0
        assert not [form for form in FORMS if form.encode() in screen.raw]
        assert [request.headers["authorization"] for request in server.requests] == [f"Bearer {CANARY}"] * 4
    assert files_that_tell(home, project) == []
    assert "***" in (project / "out.md").read_text()
    assert "***" in (project / "out.json").read_text()
    journal = next(home.rglob("sessions/*/*.jsonl")).read_text()
    assert journal.count("***") > 10
    assert list(home.rglob("*.results/*"))
    audit = [json.loads(text) for path in home.rglob("audit/*.jsonl") for text in path.read_text().splitlines()]
    assert [entry["tool"] for entry in audit][:4] == ["execute_command"] * 4
    assert audit[0]["arguments"]["command"].startswith("echo ***; env")


@pytest.mark.parametrize("output", [("text",), ("json",), ("stream-json",), ("text", "--verbose")])
def test_no_form_of_output_and_no_error_tells_it(project: Path, home: Path, output: tuple[str, ...]) -> None:
    with OpenAiServer([*echoing(), rejected()]) as server:
        runs = [
            run_paicli(
                *("-p", "go on", "--output-format", *output, *ASKS),
                project=project,
                home=home,
                server=server,
                PAICLI_API_KEY=CANARY,
            )
            for _ in range(2)
        ]
    assert [run.status for run in runs] == [0, 1]
    told = "".join(run.stdout + run.stderr for run in runs)
    assert not [form for form in FORMS if form in told]
    assert "***" in runs[0].stdout
    assert files_that_tell(home, project) == []


def test_what_a_person_types_of_it_stays_out_of_the_history(project: Path, home: Path) -> None:
    with (
        OpenAiServer([say("fine")]) as server,
        Terminal(project=project, home=home, server=server, PAICLI_API_KEY=CANARY) as screen,
    ):
        screen.wait_for("输入任务")
        enter(screen, f"use {CANARY} please")
        screen.wait_for("fine")
        enter(screen, "/exit")
        assert screen.wait_end() == 0
    (history,) = home.rglob("history/*")
    assert "use *** please" in history.read_text()
    assert files_that_tell(home, project) == []
