"""What a slash command is, and what carries it out."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from paicli.core.catalogue.lookup import Texts
from paicli.core.input_syntax.custom_commands import CustomCommand
from paicli.core.ops import Op, RestoreFiles, Rewind, UndoTurns
from paicli.ui.asking.turn_history import EarlierTurn
from paicli.ui.input_sources import PathQuery
from paicli.ui.queries import SessionQueries, SessionRow
from paicli.ui.rendering.styled import Line, Style, prose


class Handler(StrEnum):
    """Who carries a command out."""

    PLAN = "plan"
    MODE = "mode"
    APPROVALS = "approvals"
    INIT = "init"
    COMPACT = "compact"
    CLEAR = "clear"
    REWIND = "rewind"
    CANCEL = "cancel"
    LEAVE = "leave"
    EDITOR = "editor"
    THEME = "theme"
    ANSWER = "answer"
    """The command's own `answer`."""
    NOT_YET = "not_yet"
    """Planned and not there yet: it says so."""


class CommandContext(NamedTuple):
    """What an answer may use. It may come from any thread."""

    queries: SessionQueries
    submit: Callable[[Op], None]
    """For ops that change the session; what came of them comes as events."""
    texts: Texts
    custom: Mapping[str, CustomCommand] = {}
    columns: int = 0
    """Of the screen that shows the answer; 0: not known, a line may be of any length."""

    def said(self, code: str, /, **fields: object) -> list[Line]:
        """A text of the catalogue as lines."""
        return prose(self.texts.screen(code, **fields))

    def noted(self, code: str, /, **fields: object) -> list[Line]:
        """As `said`, for what only explains."""
        return prose(self.texts.screen(code, **fields), Style.DIM)

    def wrong(self, code: str, /, **fields: object) -> list[Line]:
        """As `said`, for what can't be done."""
        return prose(self.texts.screen(code, **fields), Style.WARNING)


class EditedThing(StrEnum):
    CONFIG = "config"
    PROJECT_RULES = "project_rules"


class Edit(NamedTuple):
    """The person's editor is wanted: the session gives it the terminal."""

    thing: EditedThing
    number: int = 0
    """Which of several, counted from 1; 0: the nearest."""


class GoOn(NamedTuple):
    """Another session is wanted in this terminal: this one is left."""

    session: str
    """Its id."""
    is_fork: bool = False
    """A copy of it is wanted."""


class Confirm(NamedTuple):
    """A question to the person: what would happen, and the op that a yes submits."""

    shown: tuple[Line, ...]
    op: RestoreFiles | UndoTurns | Rewind


class ChooseSession(NamedTuple):
    """The person may choose one of these sessions to go on with; where nothing can be chosen, the list is shown."""

    rows: tuple[SessionRow, ...]
    listed: tuple[Line, ...]


Found = list[Line] | Edit | GoOn | Confirm | ChooseSession
"""What to show, or what the session has to do for it."""
AnswerBy = Callable[[CommandContext, str], Found]
"""(context, argument) → what to show. It may take a while and must not touch the terminal."""


class ArgumentSources(NamedTuple):
    """What the argument of a command may be found in."""

    queries: SessionQueries
    turns: Sequence[EarlierTurn]
    """Of this conversation, oldest first."""
    paths: PathQuery


class Choice(NamedTuple):
    """An argument, with what it stands for."""

    text: str
    help_text: str = ""


Completer = Callable[[ArgumentSources, str], Iterable[Choice | str]]
"""(sources, what is typed of the argument) → what may stand there; what does not begin with the typed is left out."""


class Command(NamedTuple):
    name: str
    arguments: str
    """As help shows them; empty: the command takes none."""
    help_key: str
    """Catalogue code of its one-line help."""
    handler: Handler
    answer: AnswerBy | None = None
    """With ANSWER."""
    aliases: tuple[str, ...] = ()
    completer: Completer | None = None
    is_idle_only: bool = False
    """Not while a turn runs."""

    @property
    def usage(self) -> str:
        return f"/{self.name} {self.arguments}".rstrip()


def is_number(text: str, *, digits: int) -> bool:
    """Whether an argument is a whole number of at most so many digits; signs and digits of other scripts are none."""
    return text.isascii() and text.isdigit() and len(text) <= digits


def words(*choices: str) -> Completer:
    def completed(sources: ArgumentSources, typed: str) -> Iterable[str]:
        return choices

    return completed
