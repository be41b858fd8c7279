"""Amounts in minor units."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Money:
    minor: int
    currency: str

    def plus(self, other: "Money") -> "Money":
        if other.currency != self.currency:
            raise ValueError("currencies differ")
        return Money(self.minor + other.minor, self.currency)


def parse_amount(text: str) -> int:
    """ "12.50" as 1250."""
    whole, _, rest = text.strip().partition(".")
    return int(whole) * 100 + int((rest + "00")[:2])
