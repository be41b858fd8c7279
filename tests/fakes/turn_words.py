"""A turn's policy as the person's words make it."""

from pathlib import Path

from paicli.policy.turn_policy import OutsideContent, TurnToolPolicy


def policy_of(words: str, *, root: Path | None = None, outside: OutsideContent | None = None) -> TurnToolPolicy:
    policy = TurnToolPolicy(root=root, outside=outside)
    policy.tighten(words)
    policy.trust_words(words)
    return policy
