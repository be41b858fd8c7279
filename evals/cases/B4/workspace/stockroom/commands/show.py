"""`stockroom show [--json]`"""

from stockroom import store
from stockroom.output import print_items


def register(commands):
    parser = commands.add_parser("show", help="list all items", description="Lists all items by name.")
    parser.add_argument("--json", action="store_true", help="as a JSON array")
    parser.set_defaults(run=run)


def run(given):
    print_items(sorted(store.load(given.file), key=lambda item: item.name), as_json=given.json)
    return 0
