"""Symbol, definition and uses against the workspace's own text."""

from collections.abc import Iterator

from evals.runner.evidence import Check, Evidence

DEFINED_IN, SYMBOL = "src/ledger/rounding.py", "round_half_even"


def grade(run: Evidence) -> Iterator[Check]:
    found = run.json_answer if isinstance(run.json_answer, dict) else {}
    yield Check("symbol", found.get("symbol") == SYMBOL, f"symbol {found.get('symbol')!r}")
    line = line_of((run.pristine / DEFINED_IN).read_text(encoding="utf-8"), f"def {SYMBOL}(")
    where = (run.relative(found.get("defined_in")), found.get("line"))
    yield Check("definition", where == (DEFINED_IN, line), f"defined in {where}")
    caller = "src/ledger/settle.py"
    wanted = [(caller, line_of((run.pristine / caller).read_text(encoding="utf-8"), f"{SYMBOL}(total"))]
    listed = found.get("used_in") if isinstance(found.get("used_in"), list) else []
    used = [(run.relative(each.get("file")), each.get("line")) for each in listed if isinstance(each, dict)]
    yield Check("uses", used == wanted and len(listed) == 1, f"used in {found.get('used_in')}")


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1
