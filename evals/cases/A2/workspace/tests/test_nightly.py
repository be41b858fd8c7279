from datetime import date

from billing.invoices import Invoice
from jobs.nightly import sweep


def test_grace_is_given() -> None:
    invoice = Invoice("1", date(2024, 1, 1), 100)
    assert sweep([invoice], "retail", date(2024, 1, 4)) == []
    assert sweep([invoice], "retail", date(2024, 1, 5)) == ["1"]
