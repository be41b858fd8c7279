"""Compiles it strictly, runs its tests, and hidden ones against stores that fail when they are told to."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from evals.runner.evidence import Check, Evidence

HIDDEN = Path(__file__).parent / "hidden" / "hidden.mjs"


def grade(run: Evidence) -> Iterator[Check]:
    (run.folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    out = str(run.folder / "dist")
    status, said = run.run("tsc", "-p", ".", "--outDir", out, "--noEmitOnError", "false")
    yield Check("compiles", status == 0, said[-600:])
    tested, told = own_tests(run) if status == 0 else (status, said)
    yield Check("own_tests", tested == 0, told[-600:])
    verdicts = run.hidden("node", str(run.bring(HIDDEN)), out)
    for name in ("flush", "retry", "close", "watch"):
        yield verdicts.check(name)


def own_tests(run: Evidence) -> tuple[int, str]:
    """What test.sh does, without compiling a second time."""
    shutil.copytree(run.folder / "dist", run.workspace / "dist", dirs_exist_ok=True)
    return run.run("node", "--test", "tests/")
