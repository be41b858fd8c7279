"""Carries out the commands that answer: the same for the live session and for line mode."""

from collections.abc import Callable, Mapping

from paicli.core.catalogue.lookup import Texts
from paicli.core.errors import PaiError
from paicli.core.input_syntax.custom_commands import CustomCommand
from paicli.core.ops import Op, Rewind
from paicli.ui.asking.turn_history import TurnHistory
from paicli.ui.command import ArgumentSources, CommandContext, Edit, EditedThing, Found
from paicli.ui.facts import SessionFacts
from paicli.ui.queries import SessionQueries
from paicli.ui.rendering.fault_texts import code_text, fault_text
from paicli.ui.rendering.styled import Line, Painter, Style, prose
from paicli.ui.rendering.theme import THEMES
from paicli.ui.restoring.commands import rewind_asked
from paicli.ui.routing import Answer


class CommandDesk:
    """May be asked from any thread."""

    def __init__(
        self,
        queries: SessionQueries | None,
        *,
        submit: Callable[[Op], None],
        texts: Texts,
        facts: SessionFacts,
        columns: Callable[[], int] = lambda: 0,
    ) -> None:
        """`queries` None: nobody answers, and each command says so. `columns` of the screen now; 0: not known."""
        self.queries = queries
        self.custom: Mapping[str, CustomCommand] = {command.name: command for command in facts.custom_commands}
        self._submit = submit
        self._texts = texts
        self._columns = columns
        self._paths = facts.sources.paths
        self.history = TurnHistory()
        """Of the conversation; its session lets it hear each event."""

    @property
    def argument_sources(self) -> ArgumentSources | None:
        """None: nobody answers."""
        return None if self.queries is None else ArgumentSources(self.queries, self.history.turns, self._paths)

    def answer(self, asked: Answer) -> Found:
        """What to show; ops are submitted. Blocks while the answer is found out."""
        command = asked.command
        if self.queries is None or command.answer is None:
            return self._warned(self._texts.screen("session.not_here", name=command.name))
        context = self._context(self.queries)
        try:
            return command.answer(context, asked.argument)
        except PaiError as error:
            return self._failed(error)

    def preview_rewind(self, op: Rewind) -> Found | Rewind:
        """What going back with files would change; an op where there is nothing to ask about. Blocks."""
        if self.queries is None:
            return self._warned(self._texts.screen("session.not_here", name="rewind"))
        context = self._context(self.queries)
        try:
            return rewind_asked(context, op)
        except PaiError as error:
            return self._failed(error)

    def edit(self, edit: Edit) -> list[Line]:
        """The person's editor has the terminal until it is closed; what there is to say of the file afterwards."""
        if self.queries is None:
            return []
        match edit.thing:
            case EditedThing.CONFIG:
                edited, code = self.queries.edit_config(), "session.edited_config"
            case EditedThing.PROJECT_RULES:
                edited, code = self.queries.edit_project_rules(edit.number), "session.edited_rules"
        if edited.fault is not None:
            return self._warned(fault_text(edited.fault, self._texts))
        return prose(self._texts.screen(code, path=edited.path))

    def choose_theme(self, name: str, painter: Painter) -> list[Line]:
        """What `painter` uses from now on, and what there is."""
        fields = {"name": name or painter.theme.name, "names": " ".join(THEMES)}
        if name and name.lower() not in THEMES:
            return self._warned(self._texts.screen("session.theme_unknown", **fields))
        if name:
            painter.use(name.lower())
        return prose(self._texts.screen("session.theme", **fields))

    def _context(self, queries: SessionQueries) -> CommandContext:
        return CommandContext(queries, self._submit, self._texts, self.custom, self._columns())

    def _failed(self, error: PaiError) -> Found:
        fields = {name: str(value) for name, value in error.fields.items()}
        return self._warned(code_text(error.code, fields, self._texts))

    def _warned(self, text: str) -> list[Line]:
        return prose(text, Style.WARNING)
