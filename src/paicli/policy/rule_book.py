"""The approval rules of a session as they change: what the settings say, and what the person adds and takes away."""

import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from paicli.policy.rules import RuleDecision, RuleSet, parse_rule
from paicli.policy.session_grants import SessionGrants


class BookedRule(NamedTuple):
    decision: RuleDecision
    text: str
    is_added: bool = False
    """During the session."""


class RuleBook:
    """Decides by the rules of the moment. Thread-safe; a change holds from the next call on."""

    def __init__(
        self,
        *,
        allow: Iterable[str] = (),
        ask: Iterable[str] = (),
        deny: Iterable[str] = (),
        known_tools: Iterable[str] | None = None,
        root: Path | None = None,
    ) -> None:
        """Raises SettingsError for the first rule that is malformed or would never match."""
        self._known = None if known_tools is None else tuple(known_tools)
        self._root = root
        self._lock = threading.Lock()
        booked = (
            *(BookedRule(RuleDecision.DENY, text) for text in deny),
            *(BookedRule(RuleDecision.ASK, text) for text in ask),
            *(BookedRule(RuleDecision.ALLOW, text) for text in allow),
        )
        self._rules = self._parsed(booked)
        self._booked = booked
        self.grants = SessionGrants()
        """What the person allowed while being asked."""

    @property
    def rules(self) -> tuple[BookedRule, ...]:
        """Deny, then ask, then allow; what was allowed while being asked stands last."""
        order = [RuleDecision.DENY, RuleDecision.ASK, RuleDecision.ALLOW]
        booked = sorted(self._booked, key=lambda rule: order.index(rule.decision))
        listed = {rule.text for rule in booked if rule.decision is RuleDecision.ALLOW}
        granted = [text for text in self.grants.texts if text not in listed]
        return (*booked, *(BookedRule(RuleDecision.ALLOW, text, is_added=True) for text in granted))

    def decide(self, tool: str, arguments: Mapping[str, Any]) -> RuleDecision:
        """As `RuleSet.decide`."""
        return self._rules.decide(tool, arguments)

    def add(self, decision: RuleDecision, text: str) -> str:
        """One rule more; returns it as it is kept. Raises SettingsError as the constructor does."""
        text = text.strip()
        parse_rule(text, self._known)
        with self._lock:
            kept = [rule for rule in self._booked if (rule.decision, rule.text) != (decision, text)]
            self._change((*kept, BookedRule(decision, text, is_added=True)))
        return text

    def remove(self, text: str) -> bool:
        """Takes out every rule and grant of that text; False when there is none."""
        with self._lock:
            kept = tuple(rule for rule in self._booked if rule.text.strip() != text.strip())
            is_known = len(kept) < len(self._booked)
            self._change(kept)
        return self.grants.remove(text) or is_known

    def _change(self, booked: tuple[BookedRule, ...]) -> None:
        self._rules, self._booked = self._parsed(booked), booked

    def _parsed(self, booked: tuple[BookedRule, ...]) -> RuleSet:
        def texts(decision: RuleDecision) -> list[str]:
            return [rule.text for rule in booked if rule.decision is decision]

        return RuleSet.parse(
            allow=texts(RuleDecision.ALLOW),
            ask=texts(RuleDecision.ASK),
            deny=texts(RuleDecision.DENY),
            known_tools=self._known,
            root=self._root,
        )
