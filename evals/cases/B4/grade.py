"""The command by hidden tests, its tests against weaker commands, its documents by what a reader looks for."""

import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from evals.runner.evidence import Check, Evidence

HIDDEN = Path(__file__).parent / "hidden" / "test_low.py"
TESTS = (sys.executable, "-m", "unittest", "discover", "-s", "tests", "-t", ".")


def grade(run: Evidence) -> Iterator[Check]:
    own = run.own_tests(*TESTS)
    yield own
    verdicts = run.hidden_python(HIDDEN)
    for name in ("command", "help_text", "errors"):
        yield verdicts.check(name)
    yield tests_bite(run, is_green=own.passed)
    section = part(run.text("docs/commands.md"), r"## .*\bstockroom low\b.*")
    missing = [word for word in ("--below", "--json", "5", "3") if word not in section]
    if not re.search(r"stockroom(?:\s+--file \S+)? low", run.text("README.md")):
        missing.append("README.md")
    yield Check("docs", bool(section) and not missing, f"docs/commands.md: section {section!r}, missing {missing}")
    yield changelog(run)


def tests_bite(run: Evidence, *, is_green: bool) -> Check:
    """Where the command lists nothing, or is not there at all, the workspace's tests must fail."""
    absent, _ = run.run(*TESTS, cwd=str(run.as_it_was()))
    silent = run.folder / "silent"
    shutil.copytree(run.workspace, silent)
    with (silent / "stockroom" / "store.py").open("a", encoding="utf-8") as source:
        source.write("\n\n_load = load\n\n\ndef load(file):\n    return [i for i in _load(file) if i.amount >= 5]\n")
    said_nothing, _ = run.run(*TESTS, cwd=str(silent))
    found = f"without the command: {absent}, with one that sees no low item: {said_nothing}, green: {is_green}"
    added = run.changed & {path for path in run.changed if path.startswith("tests/")}
    return Check("tests", bool(added) and absent != 0 and said_nothing != 0, found)


def changelog(run: Evidence) -> Check:
    before, after = (run.pristine / "CHANGELOG.md").read_text(encoding="utf-8"), run.text("CHANGELOG.md")
    marks = [text.partition("\n## 0.4.0")[2] for text in (before, after)]
    news = part(after, r"## \[?Unreleased\b.*")
    is_kept = marks[0] == marks[1] and "`move` says which item it does not know." in news
    return Check("changelog", is_kept and re.search(r"\blow\b", news) is not None, f"unreleased: {news!r}")


def part(text: str, heading: str) -> str:
    """What stands under the heading, up to the next of its level."""
    found = re.search(rf"^{heading}\n((?:(?!## ).*\n?)*)", text, re.MULTILINE)
    return found[0] if found else ""
