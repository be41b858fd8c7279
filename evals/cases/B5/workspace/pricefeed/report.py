"""One line for each supplier."""

from pricefeed.pool import map_all


def report(suppliers, ask, limit=4):
    lines = []
    for supplier, outcome in zip(suppliers, map_all(ask, suppliers, limit)):
        shown = f"{outcome.value:.2f}" if outcome.error is None else f"error: {outcome.error}"
        lines.append(f"{supplier['name']}\t{shown}\n")
    return "".join(lines)
