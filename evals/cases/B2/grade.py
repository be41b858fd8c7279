"""Hidden tests of what is read and of every byte that is written; a gate on the bytes outside the fix."""

import sys
from collections.abc import Iterator
from pathlib import Path

from evals.runner.evidence import Check, Evidence

HIDDEN = Path(__file__).parent / "hidden" / "test_bytes.py"
TESTS = (sys.executable, "-m", "unittest", "discover", "-s", "tests", "-t", ".")
CONFIG = "config/shop.ini"
BOM = "\ufeff".encode()


def grade(run: Evidence) -> Iterator[Check]:
    own = run.own_tests(*TESTS, timeout_s=60)
    before, _ = run.run(*TESTS, cwd=str(run.as_it_was()), timeout_s=60)
    yield own if before != 0 or not own.passed else Check("own_tests", passed=False, why="they pass on the old code")
    verdicts = run.hidden_python(HIDDEN)
    for name in ("reading", "separators", "unicode_keys", "untouched", "appended"):
        yield verdicts.check(name)
    yield Check("config", run.data(CONFIG) == wanted(run), f"{CONFIG} is {run.data(CONFIG)!r}")


def gate(run: Evidence) -> str:
    if run.data(CONFIG) not in {wanted(run), (run.pristine / CONFIG).read_bytes()}:
        return f"{CONFIG} differs outside the value"
    for name, mark in (("shopconf/document.py", BOM), ("shopconf/lines.py", b"")):
        raw = run.data(name) or b""
        ends = raw.count(b"\n")
        if raw.startswith(BOM) != bool(mark) or raw.count(BOM) != bool(mark) or not ends or raw.count(b"\r\n") != ends:
            return f"{name}: byte order mark or line ends changed"
    return ""


def wanted(run: Evidence) -> bytes:
    before = (run.pristine / CONFIG).read_bytes()
    return before.replace("税率=0.16".encode(), "税率=0.13".encode())
