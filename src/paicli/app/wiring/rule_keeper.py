"""Permission rules that come and go during a session, and those of them that are kept in config.toml."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from paicli.app.config.config_file import ConfigFile, read_config
from paicli.core.errors import SettingsError, UserFacingError
from paicli.core.events import EventBody, Notice, NoticeLevel
from paicli.core.faults import Fault, fault_of
from paicli.core.masking import SecretMasker
from paicli.core.ops import ChangeRule, RuleChange, Storing
from paicli.policy.rule_book import BookedRule, RuleBook
from paicli.policy.rules import RuleDecision
from paicli.ui.queries import RuleRow

_DECISIONS = {
    RuleChange.ALLOW: RuleDecision.ALLOW,
    RuleChange.ASK: RuleDecision.ASK,
    RuleChange.DENY: RuleDecision.DENY,
}
_KEYS = ("permissions.allow", "permissions.ask", "permissions.deny")


class RuleKeeper:
    """Changes the book first, then the file: what can't be stored still holds for the session."""

    def __init__(self, book: RuleBook, config_path: Path, *, brought: tuple[ConfigFile, ...] = ()) -> None:
        """`brought`: settings of a trusted folder."""
        self._book = book
        self._path = config_path
        self._brought = brought

    def rows(self) -> tuple[RuleRow, ...]:
        try:
            config = read_config(self._path)
        except SettingsError:
            config = ConfigFile(self._path, {})
        return tuple(RuleRow(rule.decision.value, rule.text, self._source(rule, config)) for rule in self._book.rules)

    def _source(self, rule: BookedRule, config: ConfigFile) -> str:
        key = f"permissions.{rule.decision.value}"
        if rule.text in (config.get(key) or ()):
            return "file"
        if any(rule.text in (file.values.get(key) or ()) for file in self._brought):
            return "project"
        return "session" if rule.is_added else "option"

    def change(self, op: ChangeRule) -> Iterator[EventBody]:
        """Says the rule as it will be kept, before it is stored. Raises SettingsError for one that can't be."""
        if op.change is RuleChange.REMOVE:
            yield from self._remove(op)
            return
        decision = _DECISIONS[op.change]
        rule = self._book.add(decision, op.rule)
        yield Notice(Fault.of("session.rule_added", decision=decision.value, rule=rule))
        if op.storing is Storing.SAVED:
            key = f"permissions.{decision.value}"
            yield from self._stored(
                {key: rule}, Notice(Fault.of("session.rule_saved", **self._where(rule), decision=decision.value))
            )

    def _remove(self, op: ChangeRule) -> Iterator[EventBody]:
        rule = op.rule.strip()
        if not self._book.remove(rule):
            raise UserFacingError("session.rule_unknown", rule=rule)
        yield Notice(Fault.of("session.rule_removed", rule=rule))
        if op.storing is Storing.SAVED:
            yield from self._stored({}, Notice(Fault.of("session.rule_taken_out", **self._where(rule))), removed=rule)

    def _stored(self, added: dict[str, str], said: EventBody, *, removed: str = "") -> Iterator[EventBody]:
        # start-up: tomlkit costs some 20 ms, and only what is kept needs it
        from paicli.app.config.config_edit import change_config

        try:
            change_config(self._path, lambda config: _changes(config, added, removed))
        except SettingsError as error:
            yield Notice(fault_of(error, SecretMasker()), NoticeLevel.WARNING)
            yield Notice(Fault("session.rule_not_saved", (("path", str(self._path)),)), NoticeLevel.WARNING)
            return
        yield said

    def _where(self, rule: str) -> dict[str, str]:
        return {"path": str(self._path), "rule": rule}


def _changes(config: ConfigFile, added: dict[str, str], removed: str) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    for key in _KEYS:
        before: list[str] = list(config.get(key) or ())
        after = [rule for rule in before if rule.strip() != removed] if removed else list(before)
        if key in added and added[key] not in after:
            after.append(added[key])
        if after != before:
            changes[key] = after
    return changes
