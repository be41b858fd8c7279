"""`stockroom add NAME SHELF AMOUNT`"""

from stockroom import store


def register(commands):
    parser = commands.add_parser("add", help="add to an item", description="Adds to an item, or a new one.")
    parser.add_argument("name", metavar="NAME")
    parser.add_argument("shelf", metavar="SHELF")
    parser.add_argument("amount", metavar="AMOUNT", type=int)
    parser.set_defaults(run=run)


def run(given):
    items = store.load(given.file)
    for item in items:
        if (item.name, item.shelf) == (given.name, given.shelf):
            item.amount += given.amount
            break
    else:
        items.append(store.Item(given.name, given.shelf, given.amount))
    store.save(given.file, items)
    return 0
