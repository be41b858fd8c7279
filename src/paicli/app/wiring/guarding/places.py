"""Where the file tools may go, and which permission rules stand at the start."""

from pathlib import Path

from paicli.app.settings import Settings
from paicli.policy.path_guard import PathGuard
from paicli.policy.rule_book import RuleBook
from paicli.tools.registry import ToolRegistry


def rule_book(settings: Settings, registry: ToolRegistry) -> RuleBook:
    return RuleBook(
        allow=settings.allow_rules,
        ask=settings.ask_rules,
        deny=settings.deny_rules,
        known_tools=registry.names,
        root=settings.project_root,
    )


def guarded_paths(settings: Settings, readable: tuple[Path, ...]) -> PathGuard:
    """`readable`: folders of the session that may be read and not written."""
    return PathGuard(
        settings.project_root,
        added=settings.added_folders,
        readable=readable,
        protected=(settings.home,),
    )
