"""/permissions and /add-dir: what tools may do without asking, and where."""

from collections.abc import Iterable, Iterator

from paicli.core.ops import AddFolder, ChangeRule, RuleChange
from paicli.ui.command import ArgumentSources, CommandContext
from paicli.ui.rendering.styled import Line, Style, line, prose
from paicli.ui.session_commands.columns import two_columns
from paicli.ui.session_commands.model import split_save

PATHS_OFFERED = 50


def permission_arguments(sources: ArgumentSources, typed: str) -> Iterator[str]:
    """The words, and behind `remove` each rule in force."""
    yield from RuleChange
    for rule in dict.fromkeys(row.text for row in sources.queries.rules()):
        yield f"{RuleChange.REMOVE} {rule}"


def answer_permissions(context: CommandContext, argument: str) -> list[Line]:
    """The rules in force; with a word and a rule: one more or one less, its text shown before it is stored."""
    if not argument:
        return _listed(context)
    word, _, rest = argument.partition(" ")
    rule, storing = split_save(rest.strip())
    if word.lower() not in set(RuleChange) or not rule:
        return context.wrong("session.permissions_usage")
    change = RuleChange(word.lower())
    context.submit(ChangeRule(change, rule, storing))
    return []


def answer_add_dir(context: CommandContext, argument: str) -> list[Line]:
    if not argument:
        folders = context.queries.status().added_folders
        shown = [line(f"  {folder}") for folder in folders]
        return [*context.said("session.add_dir_usage"), *shown]
    context.submit(AddFolder(argument))
    return []


def folder_arguments(sources: ArgumentSources, typed: str) -> Iterable[str]:
    """Folders as a shell would complete them."""
    return [f"{found.path}/" for found in sources.paths.below(typed, PATHS_OFFERED) if found.is_folder]


def _listed(context: CommandContext) -> list[Line]:
    rows = context.queries.rules()
    if not rows:
        return [*context.said("session.rules_none"), *context.said("session.permissions_usage")]
    shown = [(row.decision, f"{row.text}  ({context.texts.screen(f'session.source_{row.source}')})") for row in rows]
    title = prose(context.texts.screen("session.rules_title"), Style.BOLD)
    return [*title, *two_columns(shown), *context.noted("session.rules_order")]
