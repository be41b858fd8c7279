"""`stockroom move NAME SHELF`"""

import sys

from stockroom import store


def register(commands):
    parser = commands.add_parser("move", help="put an item elsewhere", description="Puts an item on another shelf.")
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("shelf", metavar="SHELF")
    parser.set_defaults(run=run)


def run(given):
    items = store.load(given.file)
    found = [item for item in items if item.name == given.name]
    if not found:
        print(f"stockroom: no item {given.name}", file=sys.stderr)
        return 1
    for item in found:
        item.shelf = given.shelf
    store.save(given.file, items)
    return 0
