"""What is in the warehouse."""

STOCK: dict[str, int] = {}


def reserve(item: str, count: int) -> str:
    if STOCK.get(item, 0) < count:
        raise LookupError(item)
    STOCK[item] -= count
    return f"T-{item}-{count}"


def release(ticket: str) -> str:
    _, item, count = ticket.split("-")
    STOCK[item] = STOCK.get(item, 0) + int(count)
    return ticket
