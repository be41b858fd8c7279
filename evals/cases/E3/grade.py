"""The file against the newest word on each point, and the points that nobody changed."""

import csv
import json
from collections.abc import Iterator
from typing import Any

from evals.runner.evidence import Check, Evidence

LIMIT = 8


def grade(run: Evidence) -> Iterator[Check]:
    plan = content(run)
    items = [each for each in plan.get("items", []) if isinstance(each, dict)]
    with (run.pristine / "data/catalog.csv").open(encoding="utf-8") as file:
        catalog = {row["sku"]: row for row in csv.DictReader(file)}
    known = [catalog[each["sku"]] for each in items if each.get("sku") in catalog]
    yield Check("limit", len(items) == LIMIT, f"{len(items)} items")
    cents = [round(float(row["price"]) * 100) for row in known]
    prices = [each.get("price") for each in items]
    is_price = bool(items) and prices == cents and all(type(price) is int for price in prices)
    yield Check("price", is_price, f"prices {prices}, not {cents}")
    chosen = [row["sku"] for row in known]
    ranked = sorted(known, key=lambda row: (-int(row["stock"]), row["sku"]))
    left = [row for row in catalog.values() if is_listed(row) and row["sku"] not in chosen]
    fewest = min((int(row["stock"]) for row in known), default=0)
    is_top = not left or fewest >= max(int(row["stock"]) for row in left)
    is_sorted = bool(known) and chosen == [row["sku"] for row in ranked] and (is_top or len(known) < len(items))
    yield Check("sort", is_sorted, f"in the order {chosen}")
    wrong = [row["sku"] for row in known if not is_listed(row)]
    yield Check("excluded", bool(known) and not wrong, f"listed {wrong}")
    fields = {tuple(sorted(each)) for each in items}
    stocks = [each.get("stock") for each in items] == [int(row["stock"]) for row in known]
    is_kept = plan.get("title") == "渠道补货" and set(plan) == {"title", "items"}
    found = f"title {plan.get('title')!r}, keys {sorted(plan)}, fields {sorted(fields)}, stocks right: {stocks}"
    yield Check("kept", is_kept and stocks and fields <= {named(run)} and bool(fields), found)
    early = [record["seq"] for record in writes(run) if record["seq"] < told_at(run)]
    yield Check("only_when_told", not early and bool(items), f"wrote at {early}, told at {told_at(run)}")


def is_listed(row: dict[str, str]) -> bool:
    return int(row["stock"]) > 0 and row["supplier"] != "K7"


def named(run: Evidence) -> tuple[str, ...]:
    """The name of the price is the price's own check."""
    return (
        ("price_cents", "sku", "stock")
        if '"price_cents"' in run.text("export/plan.json")
        else ("price", "sku", "stock")
    )


def writes(run: Evidence) -> Iterator[dict[str, Any]]:
    """Starts of calls that wrote."""
    done = {record["call_id"] for record in run.events("tool_finished") if record["outcome"] == "ok"}
    for record in run.events("tool_started"):
        if record["name"] in {"write_file", "edit_file"} and record["call_id"] in done:
            yield record


def told_at(run: Evidence) -> int:
    """Where the last turn begins: the one that says to write."""
    turns = run.events("turn_started")
    return max((record["seq"] for record in turns if record["text"].startswith("现在写")), default=1 << 60)


def content(run: Evidence) -> dict[str, Any]:
    try:
        plan = json.loads(run.text("export/plan.json"))
    except ValueError:
        return {}
    return plan if isinstance(plan, dict) and isinstance(plan.get("items"), list) else {}
