"""What runs every night."""

from datetime import date, timedelta

from billing.invoices import Invoice, is_settled
from billing.terms import grace


def sweep(invoices: list[Invoice], group: str, today: date) -> list[str]:
    """Numbers that get a letter tonight."""
    picked = []
    for invoice in invoices:
        if is_settled(invoice) or invoice.reminders >= 3:
            continue
        if today - invoice.due > timedelta(days=grace(group)):
            invoice.reminders += 1
            picked.append(invoice.number)
    return picked


def purge(numbers: list[str], keep: int) -> list[str]:
    return numbers[-keep:] if keep else []
