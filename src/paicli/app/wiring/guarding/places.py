"""Where the file tools may go, and which permission rules stand at the start."""

from pathlib import Path

from paicli.app.settings import Settings
from paicli.core.errors import SettingsError
from paicli.policy.path_guard import PathGuard
from paicli.policy.rule_book import RuleBook
from paicli.tools.registry import ToolRegistry


def rule_book(settings: Settings, registry: ToolRegistry) -> RuleBook:
    """Raises SettingsError for a rule that is none, naming what brought it."""
    try:
        return RuleBook(
            allow=settings.allow_rules,
            ask=settings.ask_rules,
            deny=settings.deny_rules,
            known_tools=registry.names,
            root=settings.project_root,
        )
    except SettingsError as error:
        origin = dict(settings.rule_origins).get(str(error.fields.get("rule")))
        raise SettingsError(error.code, **error.fields | {"where": f"{origin}: " if origin else ""}) from error


def guarded_paths(settings: Settings, readable: tuple[Path, ...]) -> PathGuard:
    """`readable`: folders of the session that may be read and not written."""
    return PathGuard(
        settings.project_root,
        added=settings.added_folders,
        readable=readable,
        protected=(settings.home,),
    )
