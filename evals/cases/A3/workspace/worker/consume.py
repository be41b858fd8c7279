"""Takes messages from the queues."""

from worker.stock import reserve, release

HANDLERS = {
    "orders.intake": lambda message: reserve(message["item"], message["count"]),
    "orders.revoke": lambda message: release(message["ticket"]),
    "orders.legacy": lambda message: reserve(message["sku"], message["quantity"]),
}


def consume(queue: str, message: dict) -> str:
    return HANDLERS[queue](message)
