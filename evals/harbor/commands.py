"""The shell lines that install and run paicli in a task's container. Text only: nothing runs here."""

import shlex
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import NamedTuple

PACKAGE = "paicli"
STREAM, STDERR, EXIT_STATUS, HOME = "paicli.stream.jsonl", "paicli.stderr.txt", "paicli.exit_status", "paicli-home"
"""What a run leaves in the agent's log folder, which Harbor brings back; the journals are in HOME."""
_PLACE = '"$HOME/.paicli-venv"'
_RUNS_ON = "import sys; sys.exit(sys.version_info < (3, 11))"
_NO_VERDICT = "[ $status -eq 0 ] || [ $status -eq 1 ]"
"""0 done, 1 failed or done in part: the task's own tests judge what was reached. All else is no run."""

SYSTEM_PYTHON = (
    f'python3 -c "{_RUNS_ON}" 2>/dev/null && python3 -c "import ensurepip" 2>/dev/null || '
    "{ if command -v apt-get >/dev/null; then "
    "apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -qy python3 python3-venv python3-pip; "
    "elif command -v dnf >/dev/null; then dnf install -qy python3.12 python3.12-pip; "
    "elif command -v apk >/dev/null; then apk add -q python3 py3-pip bash; fi; }"
)
"""As root: a Python with venv, where the image has none that paicli runs on."""


def install_command(source: str) -> str:
    """`source`: what pip installs, a file in the container or a requirement. An old Python gets a newer one by uv."""
    wanted = shlex.quote(source)
    return (
        "set -e; for python in python3 python3.14 python3.13 python3.12 python3.11; do "
        f'"$python" -c "{_RUNS_ON}" 2>/dev/null && break || python=; done; '
        f'if [ -n "$python" ]; then "$python" -m venv {_PLACE}; else '
        "python3 -m pip install -q --user uv || python3 -m pip install -q --user --break-system-packages uv; "
        f"python3 -m uv venv -q --seed --python 3.12 {_PLACE}; fi; "
        f"{_PLACE}/bin/python -m pip install -q {wanted}; {_PLACE}/bin/paicli --version"
    )


VERSION_COMMAND = f"{_PLACE}/bin/paicli --version"


class RunRequest(NamedTuple):
    instruction: str
    logs: PurePosixPath
    """The agent's log folder in the container."""
    model: str = ""
    """[PROVIDER/]MODEL; "" leaves it to the environment."""
    is_planned: bool = False
    """As a plan, carried out unreviewed."""
    is_continued: bool = False
    """In the session of the step before."""
    has_web: bool = True
    flags: str = ""
    """More options, quoted already."""


def run_command(request: RunRequest, *, paicli: str = f"{_PLACE}/bin/paicli") -> str:
    """Writes stream, standard error and exit status to the log folder; fails where there was no run to judge."""
    stream, errors, exit_status = (shlex.quote(str(request.logs / name)) for name in (STREAM, STDERR, EXIT_STATUS))
    words = ["-p", prompt_of(request), "--allowed-tools", "*", "--output-format", "stream-json"]
    words += ["--model", request.model] if request.model else []
    words += ["--yes"] if request.is_planned else []
    words += [] if request.has_web else ["--disallowed-tools", "web_search,web_fetch"]
    words += ["--continue"] if request.is_continued else []
    called = f"{paicli} {shlex.join(words)} {request.flags}".strip()
    return (
        f"mkdir -p {shlex.quote(str(request.logs))}; "
        f"{called} </dev/null >>{stream} 2>>{errors}; status=$?; echo $status >{exit_status}; "
        f"{_NO_VERDICT} || {{ tail -n 20 {errors} >&2; exit $status; }}"
    )


def prompt_of(request: RunRequest) -> str:
    """The task as one message: a text that begins like one of paicli's own commands is no command."""
    if request.is_planned:
        return f"/plan {request.instruction}"
    begins_as_command = request.instruction.lstrip().startswith(("/", "!", "#"))
    return f"Task: {request.instruction}" if begins_as_command else request.instruction


def environment_of(known: Mapping[str, str], request: RunRequest) -> dict[str, str]:
    """The variables that the run gets of `known`: paicli's own and the key of the provider that is asked, no other."""
    provider = request.model.partition("/")[0] if "/" in request.model else known.get("PAICLI_PROVIDER", "")
    wanted = {f"{provider.upper()}_API_KEY"} if provider else set[str]()
    wanted |= {name for name in known if name.startswith("PAICLI_")}
    passed = {name: known[name] for name in sorted(wanted) if name in known}
    return passed | {"PAICLI_HOME": str(request.logs / HOME), "PAICLI_LANG": known.get("PAICLI_LANG", "en")}
