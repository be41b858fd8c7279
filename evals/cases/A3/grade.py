"""The route, the four names of one quantity, and the line that takes it from the stock."""

from collections.abc import Iterator

from evals.runner.evidence import Check, Evidence

NAMES = ["form.amount", "qty", "count", "count"]


def grade(run: Evidence) -> Iterator[Check]:
    found = run.json_answer if isinstance(run.json_answer, dict) else {}
    route = (found.get("path"), found.get("queue"))
    yield Check("route", route == ("/api/v2/orders", "orders.intake"), f"route {route}")
    yield Check("names", found.get("names") == NAMES, f"names {found.get('names')}")
    text = run.text("worker/stock.py")
    line = text[: text.index("STOCK[item] -= count")].count("\n") + 1
    wanted = {"file": "worker/stock.py", "line": line}
    yield Check("decrement", found.get("decrement") == wanted, f"decrement {found.get('decrement')}")
