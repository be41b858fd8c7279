"""Rounding rules of the clearing house."""


def round_half_up(value: float) -> int:
    return int(value + 0.5)


def round_half_even(value: float) -> int:
    return round(value)
