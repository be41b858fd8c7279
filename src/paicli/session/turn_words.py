"""What a turn is called in lists."""

import json

from paicli.core.ops import TurnKind


def turn_words(kind: TurnKind, text: str) -> str:
    """The person's words; of a stored plan its goal, "" where there is none."""
    if kind is not TurnKind.PLAN_FILE:
        return text
    try:
        goal: object = json.loads(text)["goal"]
    except (ValueError, RecursionError, LookupError, TypeError):
        return ""
    return goal if isinstance(goal, str) else ""
