"""Each class is a check of the case; the last function is found by what its module is for, whatever it is called."""

import unittest
from decimal import Decimal
from types import FunctionType

import billing.invoice as invoice
from billing import discount, shipping, vat


def only_function(module, word):
    """The module's own public function that has the word in its name."""
    own = [
        value
        for name, value in vars(module).items()
        if isinstance(value, FunctionType) and value.__module__ == module.__name__ and word in name and name[0] != "_"
    ]
    return own[0]


def total(amount, grams, kind):
    return only_function(invoice, "invoice_total")(Decimal(amount), grams, kind)


class steps(unittest.TestCase):
    def test_discount(self):
        calc = only_function(discount, "discount")
        for amount, wanted in (("999.99", "999.99"), ("1000", "900"), ("4999.99", "4499.99"), ("5000", "4250")):
            self.assertEqual(calc(Decimal(amount)), Decimal(wanted))

    def test_shipping(self):
        calc = only_function(shipping, "shipping")
        for amount, grams, wanted in (
            ("1999.99", 1000, "12"),
            ("10", 1001, "15.50"),
            ("10", 1500, "15.50"),
            ("10", 2600, "26"),
            ("2000", 90000, "0"),
        ):
            self.assertEqual(calc(Decimal(amount), grams), Decimal(wanted))

    def test_vat(self):
        calc = only_function(vat, "vat")
        for amount, kind, wanted in (("100", "book", "9"), ("100", "export", "0"), ("10.50", "food", "1.37")):
            self.assertEqual(calc(Decimal(amount), kind), Decimal(wanted))


class total_(unittest.TestCase):
    def test_all_together(self):
        for amount, grams, kind, wanted in (
            ("100", 500, "food", "126.56"),
            ("1000", 1001, "book", "997.90"),
            ("5000", 9000, "export", "4250.00"),
            ("0", 0, "food", "13.56"),
        ):
            self.assertEqual(Decimal(str(total(amount, grams, kind))).quantize(Decimal("0.01")), Decimal(wanted))


class money(unittest.TestCase):
    def test_whole_cents_as_decimal(self):
        for amount in ("33.35", "10.05", "0.01"):
            found = total(amount, 1, "food")
            self.assertIsInstance(found, Decimal)
            self.assertEqual(found.as_tuple().exponent, -2)

    def test_halves_go_up(self):
        self.assertEqual(only_function(discount, "discount")(Decimal("1000.05")), Decimal("900.05"))
        self.assertEqual(only_function(vat, "vat")(Decimal("0.50"), "book"), Decimal("0.05"))

    def test_negative_ones_are_refused(self):
        for amount, grams in ((Decimal(-1), 1), (Decimal(1), -1)):
            with self.assertRaises(ValueError):
                only_function(invoice, "invoice_total")(amount, grams, "food")
