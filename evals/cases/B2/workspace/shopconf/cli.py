"""`python3 -m shopconf get FILE KEY`, `set FILE KEY VALUE`, `keys FILE`."""

import sys

from shopconf.document import Document


def main(arguments):
    match arguments:
        case ["keys", file]:
            print("\n".join(Document.load(file).keys()))
        case ["get", file, key]:
            value = Document.load(file).get(key)
            if value is None:
                print(f"no key {key}", file=sys.stderr)
                return 1
            print(value)
        case ["set", file, key, value]:
            document = Document.load(file)
            document.set(key, value)
            document.save(file)
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0
