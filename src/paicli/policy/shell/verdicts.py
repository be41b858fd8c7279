"""What can be wrong with a call."""

from typing import NamedTuple

from paicli.policy.verdict import VerdictKind


class Danger(NamedTuple):
    """What is wrong with a call. `code` is a key of the catalogue, with one field, `matched`."""

    kind: VerdictKind
    code: str


def refused(what: str) -> Danger:
    return Danger(VerdictKind.REFUSED, f"policy.command_{what}")


def asked(what: str) -> Danger:
    return Danger(VerdictKind.UNPARSED, f"policy.command_{what}")


UNKNOWN_PART = asked("unknown_part")
FETCHED_CODE = refused("fetched_code")
FORK_BOMB = refused("fork_bomb")
PRIVILEGE = refused("privilege")
"""Marks of texts inside texts; a remote machine's sudo is only asked about."""
