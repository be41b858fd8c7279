"""The llama.cpp server of `start_llama.sh`, from its start to its end."""

import signal
import socket
import subprocess
import tempfile
import urllib.error
import urllib.request
from pathlib import Path
from typing import Self

HERE = Path(__file__).parent
READY_S = 60.0
_PAUSE_S = 0.2
_TAIL_LINES = 5


class CannotRun(Exception):
    """The server can't run on this machine: no verdict on paicli. Its text says why."""


class LlamaServer:
    """Started on entry, ready then; killed on exit. Raises CannotRun."""

    def __init__(self, venv: Path) -> None:
        self._venv = venv
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            self._port: int = taken.getsockname()[1]
        self.base_url = f"http://127.0.0.1:{self._port}/v1"

    def __enter__(self) -> Self:
        self._log = tempfile.TemporaryFile("w+")
        command = ["bash", str(HERE / "start_llama.sh"), str(self._port), str(self._venv)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=self._log, stderr=subprocess.STDOUT, start_new_session=True
        )
        for _ in range(int(READY_S / _PAUSE_S)):
            if self._is_healthy():
                return self
            try:
                self._process.wait(_PAUSE_S)
            except subprocess.TimeoutExpired:
                continue
            break
        why = self._why()
        self.__exit__()
        raise CannotRun(why)

    def __exit__(self, *details: object) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        self._log.close()

    def _is_healthy(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self._port}/health", timeout=_PAUSE_S) as answer:
                return answer.status == 200
        except (urllib.error.URLError, OSError):
            return False

    def _why(self) -> str:
        status = self._process.poll()
        if status is None:
            said = f"not ready within {READY_S:.0f} s"
        elif status < 0:
            said = f"ended by {signal.Signals(-status).name}"
            said += ": built for a newer processor than this one" if -status == signal.SIGILL else ""
        else:
            said = f"exit status {status}"
        self._log.seek(0)
        tail = "\n".join(self._log.read().splitlines()[-_TAIL_LINES:])
        return f"llama-server: {said}\n{tail}"
