"""Runs the installed `paicli` as a person or a script would: real process, real HTTP on loopback, real terminal."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import pexpect
import pyte
from evals.e1_replay import Unjudgeable, check, read_journal

from tests.fakes.openai_server import OpenAiServer, RecordedRequest, Reply, say
from tests.patience import PATIENCE_S

PAICLI = str(Path(sys.executable).with_name("paicli"))
_UNKNOWN_TO_PYTE = re.compile("\ufe0f|\u200d".encode())
"""pyte drops the rest of a text behind a variation selector or a joiner."""
PLANNING = "请为以下任务制定执行计划:\n"


class Finished(NamedTuple):
    status: int
    stdout: str
    stderr: str


def environment(home: Path, server: OpenAiServer | None, **extra: str) -> dict[str, str]:
    """Nothing of the person who runs the tests: own home, own settings, a plain locale."""
    base = {
        "PATH": f"{Path(PAICLI).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        "PAICLI_LANG": "zh",
    }
    if server is not None:
        base |= {
            "PAICLI_PROVIDER": "custom",
            "PAICLI_MODEL": "test-1",
            "PAICLI_BASE_URL": server.base_url,
            "PAICLI_API_KEY": "sk-canary-1234567890",
        }
    return base | extra


def run_paicli(
    *arguments: str,
    project: Path,
    home: Path,
    server: OpenAiServer | None = None,
    stdin: str | None = "",
    timeout_s: float = PATIENCE_S,
    **extra: str,
) -> Finished:
    """A whole run; `stdin=None` closes it."""
    done = subprocess.run(
        [PAICLI, *arguments],
        cwd=project,
        env=environment(home, server, **extra),
        input=None if stdin is None else stdin.encode(),
        stdin=subprocess.DEVNULL if stdin is None else None,
        capture_output=True,
        timeout=timeout_s,
        check=False,
    )
    assert_journals_hold(home)
    return Finished(done.returncode, done.stdout.decode(), done.stderr.decode())


def assert_journals_hold(home: Path) -> None:
    """Every journal that a run leaves behind keeps the rules of the replayer, or lacks the end that it would need."""
    for path in home.rglob("sessions/*/*.jsonl"):
        try:
            violations = check(read_journal(path.read_text(encoding="utf-8")))
        except Unjudgeable:
            continue
        assert violations == [], f"{path}: {violations}"


def first_user_text(request: RecordedRequest) -> str:
    return next(message["content"] for message in request.body["messages"] if message["role"] == "user")


def last_message(request: RecordedRequest) -> dict[str, Any]:
    return request.body["messages"][-1]


def actor_of(request: RecordedRequest) -> str:
    """ "planner", "task" or "react", by the request's first user message."""
    text = first_user_text(request)
    if text.startswith(PLANNING):
        return "planner"
    return "task" if text.startswith("总目标:") else "react"


def task_of(request: RecordedRequest) -> str:
    """The description of the task that asks."""
    found = re.search(r"^当前任务:(.*)$", first_user_text(request), re.MULTILINE)
    return found.group(1) if found else ""


def plan_json(*tasks: tuple[str, str, Sequence[str]], summary: str = "s") -> str:
    """(id, description, dependencies) each."""
    listed = [
        {"id": name, "description": text, "type": "ANALYSIS", "dependencies": list(needs)}
        for name, text, needs in tasks
    ]
    return json.dumps({"summary": summary, "tasks": listed}, ensure_ascii=False)


def by_actor(
    *, plans: Sequence[str], tasks: Callable[[str, RecordedRequest], Reply], react: Sequence[Reply] = ()
) -> Callable[[RecordedRequest], Reply]:
    """A server script: planning requests get `plans` in order, tasks what `tasks(description, request)` says."""
    left, turns = list(plans), list(react)

    def answer(request: RecordedRequest) -> Reply:
        match actor_of(request):
            case "planner":
                return say(left.pop(0))
            case "task":
                return tasks(task_of(request), request)
            case _:
                return turns.pop(0)

    return answer


class Terminal:
    """paicli in a pseudo-terminal, and what stands on its screen."""

    def __init__(
        self,
        *arguments: str,
        project: Path,
        home: Path,
        server: OpenAiServer | None,
        size: tuple[int, int] = (24, 80),
        **extra: str,
    ) -> None:
        self._home = home
        self._rows, self._columns = size
        self.screen = pyte.HistoryScreen(self._columns, self._rows, history=5_000)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self.child = pexpect.spawn(
            PAICLI,
            list(arguments),
            cwd=str(project),
            env=environment(home, server, **extra),
            dimensions=size,
            timeout=PATIENCE_S,
            echo=False,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *details: object) -> None:
        if self.child.isalive():
            self.child.kill(signal.SIGKILL)
        self.child.close(force=True)
        if details[0] is None:
            assert_journals_hold(self._home)

    def press(self, keys: str) -> None:
        self.child.send(keys)

    def lines(self) -> list[str]:
        """Scrollback and screen."""
        above = ["".join(line[column].data for column in range(self._columns)) for line in self.screen.history.top]
        return [line.rstrip() for line in (*above, *self.screen.display)]

    def text(self) -> str:
        return "\n".join(self.lines())

    def wait_for(self, *wanted: str, timeout_s: float = PATIENCE_S) -> str:
        """Reads until all of `wanted` stand in scrollback or screen."""
        return self.wait_until(lambda text: all(part in text for part in wanted), f"{wanted}", timeout_s=timeout_s)

    def wait_until(self, holds: Callable[[str], bool], what: str, *, timeout_s: float = PATIENCE_S) -> str:
        until = time.monotonic() + timeout_s
        while time.monotonic() < until:
            if holds(self.text()):
                return self.text()
            self._read()
        raise AssertionError(f"{what} did not come; the screen:\n{self.text()}")

    def wait_quiet(self, quiet_s: float = 0.3) -> None:
        """Reads until nothing came for so long: what was pressed has been seen."""
        length = -1
        while len(self.raw) > length:
            length = len(self.raw)
            for _ in range(int(quiet_s / 0.05)):
                self._read()

    def resize(self, rows: int, columns: int) -> None:
        self._rows, self._columns = rows, columns
        self.screen.resize(rows, columns)
        self.child.setwinsize(rows, columns)

    def wait_end(self) -> int:
        """Reads to the end; the exit status, negative for a signal."""
        while True:
            try:
                self._take(self.child.read_nonblocking(65_536, timeout=PATIENCE_S))
            except pexpect.EOF:
                break
        self.child.wait()
        return self.child.exitstatus if self.child.exitstatus is not None else -(self.child.signalstatus or 0)

    def _read(self) -> None:
        try:
            self._take(self.child.read_nonblocking(65_536, timeout=0.05))
        except pexpect.TIMEOUT:
            return
        except pexpect.EOF:
            raise AssertionError(f"paicli ended; the screen:\n{self.text()}") from None

    def _take(self, data: bytes) -> None:
        self.raw += data
        self._stream.feed(_UNKNOWN_TO_PYTE.sub(b"", data))
