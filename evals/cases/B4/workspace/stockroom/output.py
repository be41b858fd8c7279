"""How items are printed."""

import json
from dataclasses import asdict


def print_items(items, *, as_json):
    if as_json:
        print(json.dumps([asdict(item) for item in items], ensure_ascii=False))
        return
    for item in items:
        print(item.name, item.shelf, item.amount, sep="\t")
