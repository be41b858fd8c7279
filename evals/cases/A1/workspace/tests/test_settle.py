from ledger.money import Money
from ledger.settle import settle_day


def test_fee_is_taken() -> None:
    assert settle_day([Money(1000, "EUR")], 0.0125) == Money(988, "EUR")
