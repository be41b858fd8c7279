"""The store: a JSON file, {"items": [{"name", "shelf", "amount"}]}."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path


class StoreBroken(Exception):
    """The file can't be read or is no store."""


@dataclass
class Item:
    name: str
    shelf: str
    amount: int


def load(file):
    """The items in the file's order; none where there is no file."""
    path = Path(file)
    if not path.exists():
        return []
    try:
        return [Item(**item) for item in json.loads(path.read_text(encoding="utf-8"))["items"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise StoreBroken(f"{path.name}: no store ({type(error).__name__})") from error


def save(file, items):
    text = json.dumps({"items": [asdict(item) for item in items]}, ensure_ascii=False, indent=2)
    Path(file).write_text(text + "\n", encoding="utf-8")
