"""Invoices as they are written."""

from dataclasses import dataclass
from datetime import date


@dataclass
class Invoice:
    number: str
    due: date
    open_minor: int
    reminders: int = 0


def is_settled(invoice: Invoice) -> bool:
    return invoice.open_minor <= 0
