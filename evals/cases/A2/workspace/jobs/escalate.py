"""Hands stubborn cases to people."""

from billing.invoices import Invoice


def for_collection(invoices: list[Invoice]) -> list[str]:
    return [invoice.number for invoice in invoices if invoice.reminders >= 3]
