"""Runs one function over many items, several at once."""

import queue
import threading
from typing import NamedTuple


class Outcome(NamedTuple):
    """What came of one item: a value or an error."""

    value: object = None
    error: Exception | None = None


def map_all(function, items, limit=4):
    """The outcomes of all items."""
    return list(stream(function, items, limit))


def stream(function, items, limit=4):
    """Yields the outcomes."""
    todo = queue.SimpleQueue()
    done = queue.SimpleQueue()
    count = 0
    for item in items:
        todo.put(item)
        count += 1

    def work():
        while True:
            try:
                item = todo.get_nowait()
            except queue.Empty:
                return
            try:
                done.put(Outcome(function(item)))
            except ValueError as error:
                done.put(Outcome(error=error))

    for _ in range(min(limit, count)):
        threading.Thread(target=work, daemon=True).start()
    for _ in range(count):
        yield done.get()
