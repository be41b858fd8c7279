"""What a turn's words forbid, told cheaply for words that forbid nothing."""

from enum import StrEnum


class Restriction(StrEnum):
    """Holds until the turn ends."""

    NO_NETWORK = "no_network"
    READ_ONLY = "read_only"
    NO_COMMANDS = "no_commands"


def restrictions_in(words: str) -> tuple[Restriction, ...]:
    """What the words forbid, where they read as an order to the agent; in the order of the enumeration."""
    return ()


def asks_to_remember(words: str) -> bool:
    """Whether the words ask to remember something."""
    return "记住" in words or "remember" in words.lower()
