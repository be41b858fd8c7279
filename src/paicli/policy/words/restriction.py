"""What a turn's words forbid, told cheaply for words that forbid nothing."""

from enum import StrEnum


class Restriction(StrEnum):
    """Holds until the turn ends."""

    NO_NETWORK = "no_network"
    READ_ONLY = "read_only"
    NO_COMMANDS = "no_commands"


_HINTS = (
    "不", "无", "無", "没必要", "沒必要", "别", "別", "勿", "禁", "离线", "離線", "断网", "斷網", "只", "唯讀", "仅",
    "僅", "保持", "避免", "甭", "莫", "光",
)  # fmt: skip
_HINTS_ENGLISH = ("n't", "n’t", "n´t", "not", "never", "no ", "without", "dont", "avoid", "refrain", "offline", "read",
                  "only", "off ", "nothing", "stop", "airplane", "forbidden", "leave")  # fmt: skip

_REMEMBERING = (
    "记住",
    "記住",
    "记下",
    "記下",
    "记一下",
    "记录到记忆",
    "记忆",
    "記憶",
    "remember",
    "memorize",
    "memorise",
    "memory",
)


def restrictions_in(words: str) -> tuple[Restriction, ...]:
    """What the words forbid, where they read as an order to the agent; in the order of the enumeration."""
    if not may_forbid(words):
        return ()
    # start-up: 15 ms of tables, needed only where words may forbid something
    from paicli.policy.words.reading import read_restrictions

    found = read_restrictions(words)
    return tuple(each for each in Restriction if each in found)


def may_forbid(words: str) -> bool:
    """False for words that hold none of the beginnings of an order."""
    lowered = words.lower()
    return any(hint in lowered for hint in _HINTS) or any(hint in lowered for hint in _HINTS_ENGLISH)


def asks_to_remember(words: str) -> bool:
    """Whether the words ask to remember something, for later sessions too."""
    lowered = words.lower()
    if not any(hint in lowered for hint in _REMEMBERING):
        return False
    # start-up: 2 ms of patterns, for words that speak of remembering only
    from paicli.policy.words.reading import asks_to_keep

    return asks_to_keep(words)
