"""What the person allowed for the rest of a session by "all of this kind": rules, and commands that no rule covers."""

import threading
from collections.abc import Mapping
from typing import Any, NamedTuple

from paicli.policy.rules import Rule, RuleDecision, RuleSet, parse_rule


class _Grant(NamedTuple):
    text: str
    """As it is listed: one line, without secrets."""
    rule: Rule | None
    exact_key: str = ""
    """Of the one call it stands for, where there is no rule."""


class SessionGrants:
    """Thread-safe. A deny rule beats them; they beat an ask rule, because the person was asked and answered."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._grants: tuple[_Grant, ...] = ()

    @property
    def texts(self) -> tuple[str, ...]:
        """Each once, in the order they came."""
        return tuple(dict.fromkeys(grant.text for grant in self._grants))

    def add_rule(self, rule: str) -> None:
        self._add(_Grant(rule, parse_rule(rule)))

    def add_call(self, exact_key: str, shown: str) -> None:
        """This very call and no other; `shown` names it without secrets."""
        self._add(_Grant(_one_line(shown), None, exact_key))

    def allow(self, tool: str, values: Mapping[str, Any], *, exact_key: str, is_doubtful: bool = False) -> bool:
        """By this very call, or by a rule; a rule says nothing of a call that the guard has a doubt about."""
        grants = self._grants
        if any(grant.exact_key == exact_key for grant in grants):
            return True
        rules = [grant.rule for grant in grants if grant.rule is not None]
        if not rules or is_doubtful:
            return False
        return RuleSet(allow=rules).decide(tool, values) is RuleDecision.ALLOW

    def remove(self, text: str) -> bool:
        """Takes back every grant listed as `text`; False when there is none."""
        with self._lock:
            kept = tuple(grant for grant in self._grants if grant.text != _one_line(text))
            is_known = len(kept) < len(self._grants)
            self._grants = kept
        return is_known

    def _add(self, grant: _Grant) -> None:
        with self._lock:
            self._grants = (*(known for known in self._grants if known != grant), grant)


def _one_line(text: str) -> str:
    return " ".join(text.split())
