"""/tasks: what runs beside the conversation, and how to stop it."""

from collections.abc import Iterable

from paicli.core.ops import StopCommand
from paicli.ui.command import ArgumentSources, CommandContext
from paicli.ui.queries import RunningWork
from paicli.ui.rendering.styled import Line
from paicli.ui.session_commands.columns import two_columns

_SHOWN_CHARACTERS = 200


def answer_tasks(context: CommandContext, argument: str) -> list[Line]:
    word, _, rest = argument.partition(" ")
    if word.lower() == "stop" and rest.strip():
        return _stop(context, rest.strip())
    if argument:
        return context.wrong("session.tasks_usage")
    works = context.queries.running()
    if not works:
        return context.said("session.tasks_none")
    shown = two_columns([(work.id, _described(work, context)) for work in works])
    has_command = any(work.is_command and not work.has_ended for work in works)
    hint = context.noted("session.tasks_hint") if has_command else []
    return [*shown, *hint]


def task_arguments(sources: ArgumentSources, typed: str) -> Iterable[str]:
    return [f"stop {work.id}" for work in sources.queries.running() if work.is_command and not work.has_ended]


def _stop(context: CommandContext, name: str) -> list[Line]:
    found = next((work for work in context.queries.running() if work.id == name), None)
    if found is None:
        return context.wrong("session.tasks_unknown", id=name)
    if not found.is_command:
        return context.wrong("session.tasks_of_plan", id=name)
    if found.has_ended:
        return context.wrong("session.tasks_ended", id=name)
    context.submit(StopCommand(name))
    return []


def _described(work: RunningWork, context: CommandContext) -> str:
    what = " ".join(work.what.split())
    what = what if len(what) <= _SHOWN_CHARACTERS else what[:_SHOWN_CHARACTERS] + "…"
    code = "session.task_ended" if work.has_ended else "session.task_running"
    exit_code = "-" if work.exit_code is None else work.exit_code
    return context.texts.screen(code, what=what, seconds=f"{work.duration_s:.0f}", exit=exit_code)
