"""As shops run it until they are moved; not used by billing."""


def invoice_total(amount, grams, kind):
    rate = 0.09 if kind == "book" else 0.13
    return round(amount * (1 + rate) + 12, 2)
