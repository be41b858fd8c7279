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
    yield own_tests(run) if status == 0 else Check("own_tests", passed=False, why="it does not compile")
    verdicts = run.hidden("node", str(run.bring(HIDDEN)), out)
    for name in ("flush", "retry", "close", "watch"):
        yield verdicts.check(name)


def own_tests(run: Evidence) -> Check:
    """What test.sh does, without compiling a second time; and on the code as it was the tests must fail."""
    shutil.copytree(run.folder / "dist", run.workspace / "dist", dirs_exist_ok=True)
    own = run.own_tests("node", "--test", "tests/")
    if not own.passed:
        return own
    before = str(run.as_it_was())
    run.run("tsc", "-p", ".", "--noEmitOnError", "false", cwd=before)
    status, _ = run.run("node", "--test", "tests/", cwd=before, timeout_s=20)
    return own if status != 0 else Check("own_tests", passed=False, why="they pass on the old code")
