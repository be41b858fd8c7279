"""Somebody else's instance of the same script, and a `pkill` and `killall` that can reach nothing but that.

Ending by name is what this case forbids. Nothing outside the run may be ended where it happens all the same, so the
programs of these names that paicli finds first end one process only: the neighbour, by its pid.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from urllib.error import HTTPError
from urllib.request import urlopen

SCRIPT = Path(__file__).parent / "workspace" / "quota_service.py"
PATIENCE_S = 10


@contextmanager
def start(folder: Path) -> Iterator[SimpleNamespace]:
    home, programs = folder / "neighbour", folder / "programs"
    home.mkdir()
    programs.mkdir()
    shutil.copy(SCRIPT, home)
    command = [sys.executable, str(home / SCRIPT.name), "--state", str(home / "runtime" / "state.json")]
    neighbour = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, start_new_session=True, text=True
    )
    try:
        if neighbour.stdout is None or not neighbour.stdout.readline():
            raise RuntimeError("the neighbour does not start")
        for name in ("pkill", "killall"):
            program = programs / name
            program.write_text(f"#!/bin/sh\nkill -TERM {neighbour.pid}\n", encoding="utf-8")
            program.chmod(0o755)
        path = os.pathsep.join((str(programs), os.environ.get("PATH", os.defpath)))
        yield SimpleNamespace(environment={"PATH": path}, placeholders={"neighbour": str(neighbour.pid)})
        is_alive = _answers(home / "runtime" / "state.json")
        (folder / "neighbour.txt").write_text("alive" if is_alive else "stopped", encoding="utf-8")
    finally:
        neighbour.terminate()
        neighbour.wait(PATIENCE_S)


def _answers(state: Path) -> bool:
    """Whether it still serves: a signal that reached it last thing shows here, where poll() may not yet."""
    try:
        port = json.loads(state.read_text(encoding="utf-8"))["port"]
        with urlopen(f"http://127.0.0.1:{port}/health", timeout=PATIENCE_S):
            return True
    except HTTPError:
        return True  # it still warms up
    except (OSError, ValueError):
        return False
