"""Settlement of a day's bookings."""

from ledger.money import Money
from ledger.rounding import round_half_even


def settle_day(bookings: list[Money], fee_rate: float) -> Money:
    total = Money(0, bookings[0].currency)
    for booking in bookings:
        total = total.plus(booking)
    return Money(total.minor - round_half_even(total.minor * fee_rate), total.currency)
