"""The route, the four names of one quantity, and the line that takes it from the stock."""

from collections.abc import Iterator

from evals.runner.evidence import Check, Evidence

NAMES = ["form.amount", "qty", "count", "count"]


def grade(run: Evidence) -> Iterator[Check]:
    found = run.json_answer if isinstance(run.json_answer, dict) else {}
    route = (found.get("path"), found.get("queue"))
    yield Check("route", route == ("/api/v2/orders", "orders.intake"), f"route {route}")
    yield Check("names", found.get("names") == NAMES, f"names {found.get('names')}")
    text = (run.pristine / "worker/stock.py").read_text(encoding="utf-8")
    line = text[: text.index("STOCK[item] -= count")].count("\n") + 1
    told = found.get("decrement") if isinstance(found.get("decrement"), dict) else {}
    where = (run.relative(told.get("file")), told.get("line"))
    yield Check("decrement", where == ("worker/stock.py", line), f"decrement {found.get('decrement')}")
