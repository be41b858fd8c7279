"""Starts one program and says what it cost: `python -I -S launcher.py ORDER`, a JSON object in, one out.

It is a process of its own because a program inherits the peak memory of the one it was started from: this one has
10 MB, the benchmarks have more than paicli.
"""

import json
import os
import sys
import time
from typing import Any


def launch(order: dict[str, Any]) -> dict[str, Any]:
    """CPU and peak memory count the program's own children too, as far as it waited for them."""
    os.chdir(order["folder"])
    streams = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, order["stdout"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
        (os.POSIX_SPAWN_OPEN, 2, order["stderr"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600),
    ]
    started = time.monotonic()
    child = os.posix_spawn(order["argv"][0], order["argv"], order["environ"], file_actions=streams)
    _, status, usage = os.wait4(child, 0)
    ended = time.monotonic()
    peak_bytes = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return {
        "started": started,
        "ended": ended,
        "cpu_s": usage.ru_utime + usage.ru_stime,
        "peak_mb": peak_bytes / 1e6,
        "status": os.waitstatus_to_exitcode(status),
    }


if __name__ == "__main__":
    print(json.dumps(launch(json.loads(sys.argv[1]))))
