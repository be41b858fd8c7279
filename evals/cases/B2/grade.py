"""Hidden tests of what is read and of every byte that is written; a gate on the bytes outside the fix."""

import sys
from collections.abc import Iterator
from pathlib import Path

from evals.runner.evidence import Check, Evidence

HIDDEN = Path(__file__).parent / "hidden" / "test_bytes.py"
CONFIG = "config/shop.ini"
BOM = "\ufeff".encode()


def grade(run: Evidence) -> Iterator[Check]:
    status, said = run.run(sys.executable, "-m", "unittest", "discover", "-s", "tests", "-t", ".", timeout_s=60)
    yield Check("own_tests", status == 0, said[-600:])
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
