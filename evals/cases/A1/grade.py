"""Symbol, definition and uses against the workspace's own text."""

from collections.abc import Iterator

from evals.runner.evidence import Check, Evidence

DEFINED_IN, SYMBOL = "src/ledger/rounding.py", "round_half_even"


def grade(run: Evidence) -> Iterator[Check]:
    found = run.json_answer if isinstance(run.json_answer, dict) else {}
    yield Check("symbol", found.get("symbol") == SYMBOL, f"symbol {found.get('symbol')!r}")
    line = line_of(run.text(DEFINED_IN), f"def {SYMBOL}(")
    where = (found.get("defined_in"), found.get("line"))
    yield Check("definition", where == (DEFINED_IN, line), f"defined in {where}")
    caller = "src/ledger/settle.py"
    wanted = [{"file": caller, "line": line_of(run.text(caller), f"{SYMBOL}(total")}]
    yield Check("uses", found.get("used_in") == wanted, f"used in {found.get('used_in')}")


def line_of(text: str, part: str) -> int:
    return text[: text.index(part)].count("\n") + 1
