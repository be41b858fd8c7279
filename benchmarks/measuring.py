"""What all figures share: a place to run in, a process measured from outside, an endpoint in another process."""

import json
import os
import select
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple, Self

ROOT = Path(__file__).parent.parent
PAICLI = str(Path(sys.executable).with_name("paicli"))
LAUNCHER = str(Path(__file__).with_name("launcher.py"))
ALLOWED = ("--allowed-tools", "execute_command")
WAIT_S = 30.0
NOWHERE = "http://127.0.0.1:9/v1"


class Run(NamedTuple):
    """One process, from its start to its end; times are of `time.monotonic()`, the same clock in all processes."""

    started: float
    ended: float
    cpu_s: float
    """Its children's included."""
    peak_mb: float
    """Of the largest process, in millions of bytes."""
    status: int
    stdout: str
    stderr: str

    @property
    def wall_s(self) -> float:
        return self.ended - self.started

    def checked(self, *statuses: int) -> "Run":
        """Itself; RuntimeError when it ended otherwise: a run that failed has no figure."""
        if self.status not in (statuses or (0,)):
            raise RuntimeError(f"exit status {self.status}: {self.stderr.strip() or self.stdout.strip()}")
        return self


class Place:
    """An empty project and an empty home, gone afterwards."""

    def __enter__(self) -> Self:
        self._folder = tempfile.TemporaryDirectory(prefix="paicli-bench-")
        self.project, self.home = (Path(self._folder.name, name) for name in ("project", "home"))
        self.project.mkdir()
        self.home.mkdir()
        return self

    def __exit__(self, *details: object) -> None:
        self._folder.cleanup()

    def environ(self, base_url: str = NOWHERE) -> dict[str, str]:
        """Nothing of the person who measures."""
        return {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "HOME": str(self.home),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "PAICLI_LANG": "zh",
            "PAICLI_PROVIDER": "custom",
            "PAICLI_MODEL": "bench-1",
            "PAICLI_BASE_URL": base_url,
            "PAICLI_API_KEY": "sk-bench-1234567890",
        }

    def run(self, *argv: str, base_url: str = NOWHERE) -> Run:
        """Standard input is empty; the time to start the launcher is not counted."""
        files = {name: str(self.home.with_name(name)) for name in ("stdout", "stderr")}
        order = {"argv": argv, "folder": str(self.project), "environ": self.environ(base_url), **files}
        command = [sys.executable, "-I", "-S", LAUNCHER, json.dumps(order)]
        told = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
        said = {name: Path(path).read_text(encoding="utf-8", errors="replace") for name, path in files.items()}
        return Run(**told, **said)

    def journal(self) -> list[dict[str, Any]]:
        """The events of the one session that ran here."""
        (path,) = self.home.rglob("sessions/*/*.jsonl")
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


class Request(NamedTuple):
    """What the endpoint saw of one chat request."""

    arrived_at: float
    sent_at: float
    """When the last byte of its reply had been handed to the system; 0.0: not yet."""
    body: str

    @property
    def size_bytes(self) -> int:
        return len(self.body.encode())


class Endpoint:
    """A scripted server (`benchmarks.endpoint`) in a process of its own, so that it shares no lock with the client."""

    def __init__(self, script: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.endpoint", script],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        self.base_url = self._read()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *details: object) -> None:
        self._process.communicate()

    def requests(self, at_least: int = 0) -> list[Request]:
        """Those since the last call; waits until `at_least` have come."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{at_least}\n")
        return [Request(*each) for each in json.loads(self._read())]

    def _read(self) -> str:
        assert self._process.stdout is not None
        ready, _, _ = select.select([self._process.stdout], [], [], WAIT_S)
        line = self._process.stdout.readline() if ready else ""
        if not line:
            raise RuntimeError("the endpoint says nothing")
        return line.strip()


def ms(seconds: float) -> float:
    return seconds * 1000


def middle(values: list[float]) -> float:
    return float(median(values))
