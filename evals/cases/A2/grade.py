"""The function, its two conditions and where the days stand, against the workspace's own lines."""

from collections.abc import Iterator

from evals.runner.evidence import Check, Evidence

FILE = "jobs/nightly.py"


def grade(run: Evidence) -> Iterator[Check]:
    found = run.json_answer if isinstance(run.json_answer, dict) else {}
    text = (run.pristine / FILE).read_text(encoding="utf-8")
    where = (found.get("function"), run.relative(found.get("file")), found.get("first_line"))
    yield Check("function", where == ("sweep", FILE, line_of(text, "def sweep(")), f"function {where}")
    lines = (found.get("grace_condition_line"), found.get("gives_up_line"))
    wanted = (line_of(text, "timedelta(days="), line_of(text, "reminders >= 3"))
    yield Check("conditions", lines == wanted, f"lines {lines}, not {wanted}")
    values = run.relative(found.get("grace_values_in"))
    yield Check("values", values == "billing/terms.py", f"values in {values!r}")


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1
