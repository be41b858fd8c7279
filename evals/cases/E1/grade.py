"""The plan and its rounds from the journal; the sums from the data, by the rules, a second time.

That the run kept the rules of a plan is the replayer's to say: a journal that breaks one is no evidence at all.
"""

import csv
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from evals.runner.evidence import Check, Evidence

WRITERS = {"write_file", "edit_file"}


def grade(run: Evidence) -> Iterator[Check]:
    one, other, merge = (writer(run, f"out/{name}.json") for name in ("orders", "returns", "net"))
    below = depends(run)
    is_split = one != other and one not in below.get(other, set()) and other not in below.get(one, set())
    is_merged = {one, other} <= below.get(merge, set())
    found = f"orders by {one!r}, returns by {other!r}, net by {merge!r}; dependencies {sorted(below)}"
    yield Check("branches", bool(one and other) and is_split and is_merged, found)
    yield Check("side_by_side", bool(one and other) and is_split and overlap(run, one, other), found)
    orders, returns = sums(run)
    for name, wanted in (("orders", dict(orders)), ("returns", dict(returns)), ("net", net(orders, returns))):
        told = content(run, f"out/{name}.json")
        yield Check(name, told == wanted, f"out/{name}.json is {told}, not {wanted}")


def writer(run: Evidence, path: str) -> str:
    """The task that wrote the file last; "" where none did."""
    names = [
        use.task_id
        for use in run.tool_uses
        if use.name in WRITERS and use.outcome == "ok" and str(use.arguments.get("path", "")).endswith(path)
    ]
    return names[-1] if names else ""


def depends(run: Evidence) -> dict[str, set[str]]:
    """Each task of the plan that ran last → all that it depends on, directly or not."""
    plans = run.events("plan_created")
    tasks = plans[-1]["view"]["tasks"] if plans else []
    below: dict[str, set[str]] = {}
    for task in tasks:
        direct = set(task["dependencies"])
        below[task["id"]] = direct.union(*(below.get(each, set()) for each in direct))
    return below


def overlap(run: Evidence, one: str, other: str) -> bool:
    """Whether both had begun before either ended."""
    began = {record["task_id"]: record["seq"] for record in run.events("task_started")}
    ended = {record["task_id"]: record["seq"] for record in run.events("task_completed")}
    if not {one, other} <= began.keys() & ended.keys():
        return False
    return max(began[one], began[other]) < min(ended[one], ended[other])


def sums(run: Evidence) -> tuple[Counter[str], Counter[str]]:
    def rows(name: str) -> list[dict[str, str]]:
        with (run.pristine / "data" / name).open(encoding="utf-8") as file:
            return list(csv.DictReader(file))

    paid = {row["id"]: row for row in rows("orders.csv") if row["status"] == "paid"}
    orders, returns = Counter[str](), Counter[str]()
    for row in paid.values():
        orders[row["region"]] += int(row["amount"]) * fen(row)
    for row in rows("returns.csv"):
        if order := paid.get(row["order"]):
            returns[order["region"]] += int(row["amount"]) * fen(order)
    return orders, returns


def fen(order: dict[str, str]) -> int:
    euro = 800 if order["date"] >= "2026-03-01" else 780
    return {"CNY": 100, "USD": 720, "EUR": euro}[order["currency"]]


def net(orders: Counter[str], returns: Counter[str]) -> dict[str, Any]:
    regions = {region: orders[region] - returns[region] for region in orders}
    return {"regions": regions, "total": sum(regions.values())}


def content(run: Evidence, path: str) -> Any:
    try:
        return json.loads(run.text(path))
    except ValueError:
        return None
