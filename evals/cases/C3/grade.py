"""Everything counted once more from the sources as they were."""

import csv
import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

from evals.runner.evidence import Check, Evidence

_BEIJING = timezone(timedelta(hours=8))
_SOURCES = (("orders_east.csv", "utf-8-sig", ","), ("orders_west.csv", "gb18030", ";"))
_PAYMENT = re.compile(rb"^(\S+) payment order=([A-Z]-\d+) result=(ok|failed)(?= |$)")
_SUM = "合计"


class Truth(NamedTuple):
    orders: dict[str, int]
    gross: dict[str, Decimal]
    refunds: dict[str, Decimal]
    duplicates: int
    orphans: list[str]
    failed: dict[str, int]
    unpaid: list[str]

    @property
    def days(self) -> list[str]:
        return sorted(self.orders.keys() | self.refunds.keys())

    def amounts(self, day: str) -> tuple[str, str, str]:
        gross, refunds = self.gross.get(day, Decimal()), self.refunds.get(day, Decimal())
        return f"{gross:.2f}", f"{refunds:.2f}", f"{gross - refunds:.2f}"

    def rows(self) -> list[tuple[str, ...]]:
        rows = [(day, str(self.orders.get(day, 0)), *self.amounts(day)) for day in self.days]
        gross, refunds = sum(self.gross.values()), sum(self.refunds.values())
        total = f"{gross:.2f}", f"{refunds:.2f}", f"{gross - refunds:.2f}"
        return [*rows, (_SUM, str(sum(self.orders.values())), *total)]


def grade(run: Evidence) -> Iterator[Check]:
    truth = count(run.pristine)
    report = _object(run.text("report.json"))
    days = {day: row for day, row in _object(report.get("days")).items() if isinstance(row, dict)}
    orders = {day: row.get("orders") for day, row in days.items()}
    wanted: dict[str, Any] = {day: truth.orders.get(day, 0) for day in truth.days}
    told = (orders, report.get("duplicates"))
    yield Check("orders", told == (wanted, truth.duplicates), f"{told}, not {(wanted, truth.duplicates)}")
    money = {day: (row.get("gross"), row.get("refunds"), row.get("net")) for day, row in days.items()}
    amounts = {day: truth.amounts(day) for day in truth.days}
    yield Check("money", money == amounts, f"{money}, not {amounts}")
    lists = (report.get("failed_payments"), report.get("unpaid"), report.get("orphan_refunds"))
    listed = (truth.failed, truth.unpaid, truth.orphans)
    yield Check("payments", lists == listed, f"{lists}, not {listed}")
    rows = _table(run.text("report.md"))
    yield Check("table", rows == truth.rows(), f"{rows}, not {truth.rows()}")


def count(root: Path) -> Truth:
    days, amounts, tests, duplicates = _orders(root)
    orders, gross, refunds = Counter(days.values()), Counter[str](), Counter[str]()
    for order, day in days.items():
        gross[day] += amounts[order]
    orphans: list[str] = []
    seen: set[str] = set()
    with (root / "data" / "refunds.csv").open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            if row["refund_id"] in seen:
                continue
            seen.add(row["refund_id"])
            if row["order_id"] in days:
                refunds[_day(row["refunded_at"])] += _cents(row["amount"])
            else:
                orphans.append(row["refund_id"])
    paid, failed = _payments(root, tests)
    unpaid = sorted(days.keys() - paid)
    in_money = [{day: Decimal(cents) / 100 for day, cents in each.items()} for each in (gross, refunds)]
    return Truth(dict(orders), in_money[0], in_money[1], duplicates, sorted(orphans), failed, unpaid)


def _orders(root: Path) -> tuple[dict[str, str], dict[str, int], set[str], int]:
    """(order → day, order → cents, orders for a test, how many rows came again)"""
    days: dict[str, str] = {}
    amounts: dict[str, int] = {}
    tests: set[str] = set()
    duplicates = 0
    for name, encoding, delimiter in _SOURCES:
        with (root / "data" / name).open(encoding=encoding, newline="") as lines:
            for row in csv.DictReader(lines, delimiter=delimiter):
                order = row["order_id"]
                if row["status"] in {"TEST", "测试"}:
                    tests.add(order)
                elif order in days:
                    duplicates += 1
                else:
                    days[order], amounts[order] = _day(row["placed_at"]), _cents(row["amount"])
    return days, amounts, tests, duplicates


def _payments(root: Path, tests: set[str]) -> tuple[set[str], dict[str, int]]:
    """(orders that were paid, day → how many payments failed)"""
    lines = {line for path in root.glob("logs/pay-*.log") for line in path.read_bytes().splitlines()}
    paid: set[str] = set()
    failed: Counter[str] = Counter()
    for found in filter(None, map(_PAYMENT.match, lines)):
        time, order, result = (part.decode() for part in found.groups())
        if order not in tests and result == "ok":
            paid.add(order)
        elif order not in tests:
            failed[_day(time)] += 1
    return paid, dict(failed)


def _day(text: str) -> str:
    time = datetime.fromisoformat(text)
    return (time if time.tzinfo else time.replace(tzinfo=_BEIJING)).astimezone(_BEIJING).date().isoformat()


def _cents(text: str) -> int:
    return int(Decimal(text.replace(",", "")) * 100)


def _table(text: str) -> list[tuple[str, ...]]:
    """The rows below the head that was asked for."""
    rows = [tuple(cell.strip() for cell in line.strip().strip("|").split("|")) for line in text.splitlines()]
    head = ("日期", "订单数", "总额", "退款", "净额")
    if head not in rows:
        return []
    below = rows[rows.index(head) + 2 :]
    end = next((number for number, row in enumerate(below) if len(row) != len(head)), len(below))
    return [tuple(cell.strip("*") for cell in row) for row in below[:end]]


def _object(value: object) -> dict[str, Any]:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            return {}
    return value if isinstance(value, dict) else {}
