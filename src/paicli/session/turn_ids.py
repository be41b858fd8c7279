"""Turns are numbered through a session's whole life: of two, the later has the higher number."""

import re

_TURN_ID = re.compile(r"turn_([0-9]{1,9})")


def turn_number(turn_id: str) -> int:
    """0 where it is no turn's id."""
    found = _TURN_ID.fullmatch(turn_id)
    return int(found[1]) if found else 0
