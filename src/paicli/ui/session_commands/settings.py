"""/config and /lang: the settings in force and where each comes from."""

from paicli.core.ops import SetLanguage
from paicli.ui.command import CommandContext, Edit, EditedThing
from paicli.ui.rendering.fault_texts import fault_text
from paicli.ui.rendering.styled import Line, Style, prose
from paicli.ui.session_commands.columns import two_columns

_LANGUAGES = ("zh", "en")


def answer_config(context: CommandContext, argument: str) -> list[Line] | Edit:
    if argument.lower() == "edit":
        return Edit(EditedThing.CONFIG)
    if argument:
        return context.wrong("session.config_usage")
    report = context.queries.settings()
    rows = [(row.key, f"{row.value}  ({row.source})") for row in report.rows]
    faults = [shown for fault in report.faults for shown in prose(fault_text(fault, context.texts), Style.WARNING)]
    return [*two_columns(rows), *context.noted("session.config_path", path=report.path), *faults]


def answer_language(context: CommandContext, argument: str) -> list[Line]:
    if argument.lower() not in _LANGUAGES:
        return context.wrong("session.lang_usage")
    context.submit(SetLanguage(argument.lower()))
    return []
