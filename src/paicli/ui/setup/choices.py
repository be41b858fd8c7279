"""Reads the answer to a numbered list."""

from collections.abc import Sequence


def chosen_number(typed: str, count: int, *, names: Sequence[str] = ()) -> int | None:
    """The index that `typed` means: a number from 1, or the beginning of exactly one name. None: neither."""
    wanted = typed.strip().lower()
    if wanted.isascii() and wanted.isdigit() and len(wanted) <= 6:
        return int(wanted) - 1 if 1 <= int(wanted) <= count else None
    exact = [index for index, name in enumerate(names) if wanted and name.lower() == wanted]
    begun = [index for index, name in enumerate(names) if wanted and name.lower().startswith(wanted)]
    for found in (exact, begun):
        if len(found) == 1:
            return found[0]
    return None
