"""Builds and tests it, puts hidden tests of the interval's ends to it, and its new tests to the code as it was."""

from collections.abc import Iterator
from pathlib import Path

from evals.runner.evidence import Check, Evidence

HIDDEN = Path(__file__).parent / "hidden"
TESTS = "src/test/java/numbers/TestMain.java"


def grade(run: Evidence) -> Iterator[Check]:
    own = run.own_tests("./test.sh")
    yield own
    classes = str(run.folder / "classes")
    sources = sorted(map(str, (run.workspace / "src/main").rglob("*.java")))
    brought = sorted(map(str, run.bring(HIDDEN).rglob("*.java")))
    built, faults = run.run("javac", "-d", classes, *sources, *brought)
    verdicts = run.hidden("java", "-XX:TieredStopAtLevel=1", "-cp", classes, "numbers.HiddenTests")
    for name in ("ends", "merging", "cutting", "extremes"):
        found = verdicts.check(name)
        yield found if built == 0 else Check(name, passed=False, why=faults[-600:])
    yield guards(run, is_green=own.passed)


def guards(run: Evidence, *, is_green: bool) -> Check:
    """The workspace's tests must fail on the code as it was: that is what they were asked for."""
    if run.data(TESTS) == (run.pristine / TESTS).read_bytes():
        return Check("guards", passed=False, why="no test was added")
    status, said = run.run("./test.sh", cwd=str(run.as_it_was("src/test")))
    return Check("guards", status != 0 and "FAILED" in said, f"green: {is_green}; on the code as it was: {said[-300:]}")
