"""The one table of slash commands: routing, help and completion read it, and nothing else lists them."""

from collections.abc import Collection
from difflib import get_close_matches

from paicli.core.ops import Mode
from paicli.ui.command import AnswerBy, Command, CommandContext, Completer, Found, Handler, words
from paicli.ui.rendering.help_text import command_help, help_lines
from paicli.ui.rendering.theme import THEMES
from paicli.ui.restoring.commands import (
    answer_restore,
    answer_snapshot,
    answer_undo,
    snapshot_numbers,
    turn_numbers,
    undo_counts,
)
from paicli.ui.session_commands.audit import answer_audit
from paicli.ui.session_commands.health import answer_doctor
from paicli.ui.session_commands.knowledge import (
    answer_memory,
    answer_save,
    answer_skill,
    memory_arguments,
    skill_arguments,
)
from paicli.ui.session_commands.model import answer_model, model_names
from paicli.ui.session_commands.outward import (
    answer_bug,
    answer_copy,
    answer_diff,
    answer_export,
    answer_rename,
    export_arguments,
)
from paicli.ui.session_commands.permissions import (
    answer_add_dir,
    answer_permissions,
    folder_arguments,
    permission_arguments,
)
from paicli.ui.session_commands.policy import answer_policy
from paicli.ui.session_commands.reports import answer_status
from paicli.ui.session_commands.settings import answer_config, answer_language
from paicli.ui.session_commands.spending import answer_context, answer_cost
from paicli.ui.session_commands.stored import answer_fork, answer_resume, answer_sessions, session_ids
from paicli.ui.session_commands.work import answer_tasks, task_arguments


def _answer_help(context: CommandContext, argument: str) -> Found:
    if not argument:
        return help_lines(COMMANDS.values(), context)
    name = argument.removeprefix("/").lower()
    custom = context.custom.get(name)
    command = command_named(name)
    if command is None and custom is None:
        near = " ".join(f"/{near}" for near in nearest_names(name, context.custom))
        code = "session.unknown_command_near" if near else "session.unknown_command"
        return context.wrong(code, name=name, nearest=near)
    return command_help(command or custom, context)


def _command(
    name: str,
    arguments: str = "",
    handler: Handler | AnswerBy = Handler.NOT_YET,
    *,
    completer: Completer | None = None,
    aliases: tuple[str, ...] = (),
    is_idle_only: bool = False,
) -> Command:
    if isinstance(handler, Handler):
        return Command(name, arguments, f"command.{name}", handler, aliases=aliases, completer=completer)
    return Command(name, arguments, f"command.{name}", Handler.ANSWER, handler, aliases, completer, is_idle_only)


def _all_names(sources: object, typed: str) -> Collection[str]:
    return list(COMMANDS)


_TABLE = (
    _command("help", "[NAME]", _answer_help, completer=_all_names),
    _command("plan", "[goal|resume]", Handler.PLAN, completer=words("resume")),
    _command("mode", "[auto|plan|ask]", Handler.MODE, completer=words(*Mode)),
    _command("hitl", "on|default", Handler.APPROVALS, completer=words("on", "default")),
    _command("model", "[[PROVIDER/]NAME [--save]]", answer_model, completer=model_names),
    _command("cancel", "", Handler.CANCEL),
    _command("clear", "", Handler.CLEAR),
    _command("rewind", "[N [files|both]]", Handler.REWIND, completer=turn_numbers),
    _command("undo", "[N]", answer_undo, is_idle_only=True, completer=undo_counts),
    _command("restore", "[N]", answer_restore, is_idle_only=True, completer=snapshot_numbers),
    _command("snapshot", "", answer_snapshot, is_idle_only=True),
    _command("context", "", answer_context),
    _command("compact", "[focus]", Handler.COMPACT),
    _command("cost", "", answer_cost),
    _command("status", "", answer_status),
    _command("doctor", "[offline]", answer_doctor, completer=words("offline")),
    _command("tasks", "[stop ID]", answer_tasks, completer=task_arguments),
    _command("diff", "[N|session]", answer_diff, completer=snapshot_numbers),
    _command("init", "[focus]", Handler.INIT),
    _command("memory", "[edit [N]|forget N]", answer_memory, completer=memory_arguments),
    _command("save", "TEXT", answer_save),
    _command("skill", "[list|show NAME|on NAME|off NAME]", answer_skill, completer=skill_arguments),
    _command("add-dir", "DIR", answer_add_dir, completer=folder_arguments),
    _command(
        "permissions",
        "[allow|ask|deny|remove RULE [--save]]",
        answer_permissions,
        completer=permission_arguments,
    ),
    _command("policy", "[COMMAND]", answer_policy),
    _command("config", "[edit]", answer_config, completer=words("edit")),
    _command("theme", "[NAME]", Handler.THEME, completer=words(*THEMES)),
    _command("lang", "zh|en", answer_language, completer=words("zh", "en")),
    _command("copy", "", answer_copy),
    _command("editor", "", Handler.EDITOR),
    _command("export", "md|json|plan|mermaid [FILE]", answer_export, completer=export_arguments),
    _command("rename", "TITLE", answer_rename),
    _command("sessions", "", answer_sessions),
    _command("resume", "[N|ID]", answer_resume, completer=session_ids),
    _command("fork", "", answer_fork),
    _command("audit", "[N]", answer_audit),
    _command("bug", "", answer_bug),
    _command("exit", "", Handler.LEAVE, aliases=("quit",)),
    *(
        _command(name, "[…]")
        for name in (
            "team", "mcp", "hooks",
        )
    ),
)  # fmt: skip

COMMANDS: dict[str, Command] = {command.name: command for command in _TABLE}
"""name without its slash → command, in the order of help"""

_ALIASES: dict[str, Command] = {alias: command for command in _TABLE for alias in command.aliases}

BUILT_IN_NAMES: frozenset[str] = frozenset((*COMMANDS, *_ALIASES))

PLANNED_PLAN_WORDS = frozenset({"retry", "replan", "edit"})
"""`/plan WORD` that are commands of their own and not goals."""


def command_named(name: str) -> Command | None:
    """The command of that name or alias, in any case."""
    return COMMANDS.get(name.lower()) or _ALIASES.get(name.lower())


def nearest_names(name: str, custom: Collection[str] = ()) -> list[str]:
    """At most three names of commands that `name` may have meant, nearest first."""
    wanted = name.lower()
    known = [*COMMANDS, *_ALIASES, *custom]
    by_prefix = [each for each in known if wanted and each.startswith(wanted)]
    return list(dict.fromkeys([*by_prefix, *get_close_matches(wanted, known, n=3, cutoff=0.6)]))[:3]
