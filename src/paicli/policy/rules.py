"""Approval rules as data: `execute_command(git diff:*)`, `read_file(src/**)`, `web_search`, `*`.

Deny beats ask beats allow. For a command, `words:*` matches a call that begins with these whole words, `words` alone
that call exactly, `*` any text. For a file tool the pattern is a path: `**` any folders, `*` within a name, `.` the
root; without a slash it means that name in any folder. For web_fetch it is a host, with its scheme, port and path where
they matter (`https://docs.python.org/*`); for the like of web_search `*` stands for any characters.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from paicli.core.errors import SettingsError
from paicli.policy.path_rules import PathPattern, PathsOfCall
from paicli.policy.verdict import Match

if TYPE_CHECKING:
    from paicli.policy.command_rules import CommandPattern
    from paicli.policy.grants.urls import UrlPattern

COMMAND_TOOL = "execute_command"
SERVER_TOOLS = "mcp__"
"""How tools of MCP servers begin. They come when their server has started: rules on them can't be checked before."""

_RULE = re.compile(r"([A-Za-z0-9_*?.-]+)(?:\((.*)\))?", re.DOTALL)

_PATH_TOOLS = frozenset({"read_file", "write_file", "edit_file", "list_dir", "glob_files", "grep_code"})
_URL_TOOLS = frozenset({"web_fetch"})
_TEXT_ARGUMENTS = {
    "web_search": "query",
    "create_project": "name",
    "load_skill": "name",
    "command_output": "id",
    "stop_command": "id",
}
_WITH_PATTERNS = _PATH_TOOLS | _URL_TOOLS | _TEXT_ARGUMENTS.keys()


class RuleDecision(StrEnum):
    ALLOW = "allow"
    ASK = "ask"
    DENY = "deny"
    NONE = "none"
    """No rule speaks of the call."""


class Rule(NamedTuple):
    """One rule, ready to match."""

    text: str
    """As it was written."""
    tool: str
    """Tool name, or a pattern of names."""
    command: "CommandPattern | None" = None
    path: PathPattern | None = None
    url: "UrlPattern | None" = None
    value: str | None = None
    """Pattern of the one argument that counts."""

    @property
    def takes_all(self) -> bool:
        """Matches every call of the tool."""
        return self.command is None and self.path is None and self.url is None and self.value is None

    def names(self, tool: str) -> bool:
        return fnmatchcase(tool, self.tool)


def parse_rule(text: str, known_tools: Iterable[str] | None = None) -> Rule:
    """Raises SettingsError for bad syntax, a tool that is not known, and a pattern that can never match."""
    match = _RULE.fullmatch(text.strip())
    if match is None:
        raise SettingsError("policy.rule_syntax", rule=text, where="")
    tool, pattern = match[1], match[2]
    is_late = tool.startswith(SERVER_TOOLS)
    if known_tools is not None and not is_late and not any(fnmatchcase(known, tool) for known in known_tools):
        raise SettingsError("policy.rule_unknown_tool", rule=text, where="")
    if pattern is None:
        return Rule(text, tool)
    rule = _with_pattern(Rule(text, tool), pattern.strip())
    if rule is None:
        raise SettingsError("policy.rule_never_matches", rule=text, where="")
    return rule


def _with_pattern(rule: Rule, pattern: str) -> Rule | None:
    """The rule with its pattern; None for one that can never match."""
    if not pattern:
        return None
    if pattern == "*" and (rule.tool == COMMAND_TOOL or rule.tool in _WITH_PATTERNS):
        return rule
    if rule.tool == COMMAND_TOOL:
        from paicli.policy.command_rules import CommandPattern  # start-up: the shell reading is 8 ms of modules

        command = CommandPattern.parse(pattern)
        return rule._replace(command=command) if command is not None else None
    if rule.tool in _PATH_TOOLS:
        path = PathPattern.parse(pattern)
        return rule._replace(path=path) if path is not None else None
    if rule.tool in _URL_TOOLS:
        # start-up: ipaddress and urllib are 6 ms, and few have such a rule
        from paicli.policy.grants.urls import UrlPattern

        url = UrlPattern.parse(pattern)
        return rule._replace(url=url) if url is not None else None
    return rule._replace(value=pattern) if rule.tool in _TEXT_ARGUMENTS else None


class RuleSet:
    """What the configured rules say about calls. Immutable."""

    def __init__(
        self,
        *,
        allow: Sequence[Rule] = (),
        ask: Sequence[Rule] = (),
        deny: Sequence[Rule] = (),
        root: Path | None = None,
    ) -> None:
        """`root`: paths are compared relative to it, as written and with links resolved; None: as written."""
        self.allow, self.ask, self.deny = tuple(allow), tuple(ask), tuple(deny)
        self._root = root

    @classmethod
    def parse(
        cls,
        *,
        allow: Iterable[str] = (),
        ask: Iterable[str] = (),
        deny: Iterable[str] = (),
        known_tools: Iterable[str] | None = None,
        root: Path | None = None,
    ) -> "RuleSet":
        """Raises SettingsError for the first rule that is malformed or would never match."""
        known = None if known_tools is None else tuple(known_tools)
        parsed = [[parse_rule(text, known) for text in texts] for texts in (allow, ask, deny)]
        return cls(allow=parsed[0], ask=parsed[1], deny=parsed[2], root=root)

    def decide(self, tool: str, arguments: Mapping[str, Any]) -> RuleDecision:
        """`arguments`: as the tool gets them, by name.

        A command whose content is unknown is asked about where a deny or ask rule might mean it.
        """
        denied = self._speaks(self.deny, tool, arguments)
        asked = self._speaks(self.ask, tool, arguments)
        if denied is Match.YES:
            return RuleDecision.DENY
        if Match.MAYBE in (denied, asked) or asked is Match.YES:
            return RuleDecision.ASK
        return RuleDecision.ALLOW if self._allows(tool, arguments) else RuleDecision.NONE

    def _speaks(self, rules: Sequence[Rule], tool: str, arguments: Mapping[str, Any]) -> Match:
        """Whether one of the rules matches any part of the call."""
        naming = [rule for rule in rules if rule.names(tool)]
        if any(rule.takes_all or self._matches(rule, arguments, is_grant=False) for rule in naming):
            return Match.YES
        patterns = [rule.command for rule in naming if rule.command is not None]
        if not patterns:
            return Match.NO
        from paicli.policy.command_rules import command_match  # start-up: loaded with the first command

        return command_match(patterns, str(arguments.get("command", "")))

    def _allows(self, tool: str, arguments: Mapping[str, Any]) -> bool:
        naming = [rule for rule in self.allow if rule.names(tool)]
        if any(rule.takes_all or self._matches(rule, arguments, is_grant=True) for rule in naming):
            return True
        patterns = [rule.command for rule in naming if rule.command is not None]
        if not patterns:
            return False
        from paicli.policy.command_rules import is_allowed_by  # start-up: loaded with the first command

        return is_allowed_by(patterns, str(arguments.get("command", "")))

    def _matches(self, rule: Rule, arguments: Mapping[str, Any], *, is_grant: bool) -> bool:
        """Path and value patterns: a grant needs all names of the path to match, a restriction one of them."""
        if rule.path is not None:
            names = PathsOfCall(str(arguments.get("path", ".")), self._root)
            return names.all_match(rule.path) if is_grant else names.any_matches(rule.path)
        if rule.url is not None:
            return rule.url.covers(str(arguments.get("url", "")))
        if rule.value is not None:
            return fnmatchcase(str(arguments.get(_TEXT_ARGUMENTS[rule.tool], "")), rule.value)
        return False
