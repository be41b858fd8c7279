"""Kept for the old importer; new code uses ledger.rounding."""


def round_half_even_cents(value: float) -> float:
    return round(value * 100) / 100
