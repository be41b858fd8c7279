"""/memory, /save and /skill: what the model knows before it is asked."""

from collections.abc import Iterable

from paicli.core.ops import ForgetMemory, SaveMemory, SwitchSkill
from paicli.ui.command import ArgumentSources, CommandContext, Edit, EditedThing, Found, is_number
from paicli.ui.queries import RulesFile, SkillRow
from paicli.ui.rendering.fault_texts import fault_text
from paicli.ui.rendering.styled import Line, Style, line, prose
from paicli.ui.session_commands.reports import rules_text


def answer_memory(context: CommandContext, argument: str) -> Found:
    verb, _, number = argument.lower().partition(" ")
    number = number.strip()
    if not argument:
        return [*_rules_shown(context), *_memory_shown(context)]
    if verb == "edit" and not number:
        return Edit(EditedThing.PROJECT_RULES)
    if verb not in {"edit", "forget"} or not is_number(number, digits=6):
        return context.wrong("session.memory_usage")
    if verb == "edit":
        is_there = 0 < int(number) <= len(context.queries.rules_files())
        return (
            Edit(EditedThing.PROJECT_RULES, int(number))
            if is_there
            else context.wrong("session.memory_no_file", number=number)
        )
    lines = context.queries.memory().lines
    if not 0 < int(number) <= len(lines):
        return context.wrong("memory.no_line", number=number)
    context.submit(ForgetMemory(lines[int(number) - 1]))
    return []


def answer_save(context: CommandContext, argument: str) -> list[Line]:
    if not argument.strip():
        return context.wrong("memory.save_usage")
    context.submit(SaveMemory(argument.strip()))
    return []


def answer_skill(context: CommandContext, argument: str) -> list[Line]:
    verb, _, name = argument.partition(" ")
    verb, name = verb.lower(), name.strip()
    if verb in {"", "list"} and not name:
        return _skills_shown(context)
    if verb == "show" and name:
        return [line(text) for text in context.queries.skill_text(name).split("\n")]
    if verb in {"on", "off"} and name:
        context.submit(SwitchSkill(name, verb == "on"))
        return []
    return context.wrong("skills.usage")


def memory_arguments(sources: ArgumentSources, typed: str) -> Iterable[str]:
    files = len(sources.queries.rules_files())
    edits = [f"edit {number}" for number in range(1, files + 1)] if files > 1 else []
    return ["edit", *edits, *(f"forget {number}" for number, _ in enumerate(sources.queries.memory().lines, 1))]


def skill_arguments(sources: ArgumentSources, typed: str) -> Iterable[str]:
    rows = sources.queries.skills().rows
    switches = [f"{'on' if row.is_off else 'off'} {row.name}" for row in rows]
    return ["list", *(f"show {row.name}" for row in rows), *switches]


def _rules_shown(context: CommandContext) -> list[Line]:
    files = context.queries.rules_files()
    if not files:
        return context.said("session.memory_none")
    rows = [shown for number, file in enumerate(files, 1) for shown in prose(_file_row(number, file, context), hang=4)]
    return [*rows, *context.noted("session.memory_hint")]


def _file_row(number: int, file: RulesFile, context: CommandContext) -> str:
    code = "session.rules_row_imported" if file.imported_by else "session.rules_row"
    return context.texts.screen(code, number=number, file=rules_text(file, context), by=file.imported_by)


def _memory_shown(context: CommandContext) -> list[Line]:
    report, texts = context.queries.memory(), context.texts
    if report.fault is not None:
        return prose(fault_text(report.fault, texts), Style.WARNING)
    if not report.lines:
        return context.noted("memory.none")
    rows = [
        shown
        for number, each in enumerate(report.lines, 1)
        for shown in prose(texts.screen("memory.row", number=number, line=each.removeprefix("- ")), hang=5)
    ]
    return [*context.said("memory.title", path=report.path), *rows, *context.noted("memory.hint")]


def _skills_shown(context: CommandContext) -> list[Line]:
    report, texts = context.queries.skills(), context.texts
    faults = [shown for fault in report.faults for shown in prose(fault_text(fault, texts), Style.WARNING)]
    if not report.rows:
        return [*context.said("skills.none"), *faults]
    rows = [shown for row in report.rows for shown in prose(_skill_row(row, context), hang=4)]
    return [*context.said("skills.title"), *rows, *faults, *context.noted("skills.hint")]


def _skill_row(row: SkillRow, context: CommandContext) -> str:
    code = "skills.row_off" if row.is_off else "skills.row" if row.is_listed else "skills.row_unlisted"
    source = context.texts.screen(f"skills.source_{row.source}")
    return context.texts.screen(code, name=row.name, source=source, description=row.description)
