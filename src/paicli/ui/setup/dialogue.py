"""The dialogue of the first start in a terminal: one question after the other, printed where the session will be.

ESC goes back (the answer is None), Ctrl+C and Ctrl+D leave (KeyboardInterrupt, EOFError); where something runs, Ctrl+C
ends that, as in the session. Nothing of a key is shown, not even its length.
"""

import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeVar

from prompt_toolkit import PromptSession
from prompt_toolkit.application import Application
from prompt_toolkit.history import DummyHistory
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.key_binding.key_processor import KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.layout.processors import Processor, Transformation, TransformationInput
from prompt_toolkit.output import ColorDepth, Output, create_output

from paicli.core.cancellation import CancellationToken
from paicli.core.catalogue.lookup import Texts
from paicli.core.unicode import well_formed
from paicli.ui.facts import ColorUse
from paicli.ui.live.own_input import own_input
from paicli.ui.rendering.styled import Line, Painter, Style, prose
from paicli.ui.setup.choices import chosen_number, read_name

ESCAPE_S = 0.05
"""ESC alone and the start of an arrow key are told apart by this pause."""
GIVE_UP_S = 0.3
"""How long work that was cancelled is waited for; it then goes on alone, and nobody hears of it."""
_BACK = "\x1b"
"""What a prompt answers when ESC was pressed: no text that a person can type holds it."""

Answer = TypeVar("Answer")


class TerminalDialogue:
    """Everything belongs to the thread that made it."""

    def __init__(
        self,
        texts: Texts,
        *,
        color: ColorUse = ColorUse.ALLOWED,
        is_ascii: bool = False,
        terminal: tuple[Input, Output] | None = None,
    ) -> None:
        """`terminal` is for tests; None: the process's own."""
        self._texts = texts
        self._painter = Painter(color, is_ascii=is_ascii)
        self._input, self._output = terminal or (own_input(), create_output())
        if hasattr(self._output, "enable_cpr"):
            # Unanswered, that request costs a warning; answered late, its answer would be taken for keys.
            self._output.enable_cpr = False  # pyright: ignore[reportAttributeAccessIssue] - only Vt100_Output has it
        self._color_depth = ColorDepth.DEPTH_1_BIT if color is ColorUse.NEVER else None

    def say(self, text: str, style: Style = Style.PLAIN) -> None:
        self.show(prose(text, style))

    def show(self, shown: Sequence[Line]) -> None:
        columns = self._output.get_size().columns
        self._output.write_raw(self._painter.block(shown, columns=columns).replace("\n", "\r\n"))
        self._output.flush()

    def choose(
        self, question: str, choices: Sequence[str], *, names: Sequence[str] = (), preset: int = 0
    ) -> int | None:
        """The index of the choice; None: back. Answered by its number or its name; asks again until it is one.

        `preset`: index of what Enter alone takes.
        """
        self.say(question, Style.BOLD)
        self._list(choices)
        code = "setup.number_or_name" if names else "setup.number"
        prompt = self._texts.screen(code, count=len(choices), preset=preset + 1)
        while True:
            typed = self._read(prompt)
            if typed is None:
                return None
            number = chosen_number(typed or str(preset + 1), len(choices), names=names)
            if number is not None:
                return number
            self.say(self._texts.screen("setup.number_wrong", count=len(choices)), Style.WARNING)

    def choose_name(self, question: str, names: Sequence[str], *, shown: int) -> str | None:
        """A name of the list, by its number or as it is, or any other text; None: back. `shown`: rows of the list.

        What is nearly a listed name is asked about once: Enter takes the listed one.
        """
        rows = names[:shown]
        self.say(question, Style.BOLD)
        self._list(rows)
        if len(names) > len(rows):
            self.say(self._texts.screen("setup.models_left", count=len(names) - len(rows)), Style.DIM)
        prompt = self._texts.screen("setup.number_or_model", preset=1)
        offered = names[0]
        has_offered = False
        while True:
            typed = self._read(prompt)
            if typed is None or not typed:
                return offered if typed == "" else None
            read = read_name(typed, rows, listed=names)
            if not read.name:
                self.say(self._texts.screen("setup.model_wrong", count=len(rows)), Style.WARNING)
            elif has_offered or not read.nearest:
                return read.name
            else:
                offered, has_offered = read.nearest, True
                self.say(self._texts.screen("setup.model_near", typed=read.name, nearest=offered), Style.WARNING)
                prompt = self._texts.screen("setup.model_preset", preset=offered)

    def ask(self, question: str, *, preset: str = "") -> str | None:
        """A line without outer white space, `preset` for an empty one; None: back. Asks again if there's neither."""
        while True:
            typed = self._read(question)
            if typed is None or typed or preset:
                return typed if typed is None else typed or preset

    def ask_hidden(self, question: str) -> str | None:
        """What was typed or pasted, as it came; None: back."""
        return self._prompt(question, is_hidden=True)

    def wait_for(self, message: str, work: Callable[[CancellationToken], Answer]) -> Answer | None:
        """What `work` returns, from a thread of its own; None: ESC or Ctrl+C ended it. Ctrl+D ends it and leaves."""
        cancel = CancellationToken()
        answers: list[Answer] = []
        app = self._waiting_app(message)

        def run() -> None:
            try:
                answers.append(work(cancel))
            finally:
                with suppress(RuntimeError):  # the person went on without it, and the loop is closed
                    if app.loop is not None:
                        app.loop.call_soon_threadsafe(_exit, app)

        worker = threading.Thread(target=run, name="paicli-setup", daemon=True)
        try:
            app.run(pre_run=worker.start, set_exception_handler=False)
        finally:
            if not answers:
                cancel.cancel()
                worker.join(GIVE_UP_S)
        return answers[0] if answers and not cancel.cancelled else None

    def _list(self, rows: Sequence[str]) -> None:
        digits = len(str(len(rows)))
        for number, text in enumerate(rows, 1):
            self.show(prose(f"  {number:>{digits}}. {text}", hang=digits + 4))

    def _read(self, question: str) -> str | None:
        typed = self._prompt(question)
        return None if typed is None else typed.strip()

    def _prompt(self, question: str, *, is_hidden: bool = False) -> str | None:
        session: PromptSession[str] = PromptSession(
            history=DummyHistory(),
            input_processors=[_Nothing()] if is_hidden else None,
            key_bindings=_hidden_keys() if is_hidden else _prompt_keys(),
            color_depth=self._color_depth,
            enable_suspend=True,
            input=self._input,
            output=self._output,
        )
        session.app.ttimeoutlen = session.app.timeoutlen = ESCAPE_S
        typed = session.prompt(self._painter.plain(question), set_exception_handler=False)
        return None if typed == _BACK else well_formed(typed)

    def _waiting_app(self, message: str) -> Application[None]:
        app: Application[None] = Application(
            Layout(
                Window(FormattedTextControl(self._painter.plain(message)), dont_extend_height=True, wrap_lines=True)
            ),
            key_bindings=_waiting_keys(),
            color_depth=self._color_depth,
            erase_when_done=True,
            input=self._input,
            output=self._output,
        )
        app.ttimeoutlen = app.timeoutlen = ESCAPE_S
        return app


class _Nothing(Processor):
    """Shows nothing of what stands in the input."""

    def apply_transformation(self, transformation_input: TransformationInput) -> Transformation:
        nothing = transformation_input.fragments[:0]
        return Transformation(nothing, lambda position: 0, lambda position: 0)


def _prompt_keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("escape", eager=True)
    def _(event: KeyPressEvent) -> None:
        event.app.exit(result=_BACK)

    return keys


def _hidden_keys() -> KeyBindings:
    keys = _prompt_keys()

    @keys.add(Keys.BracketedPaste)
    def _(event: KeyPressEvent) -> None:
        # The line end that is copied along would open a second, empty line.
        event.current_buffer.insert_text(event.data.strip())

    return keys


def _waiting_keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("escape", eager=True)
    @keys.add("c-c")
    @keys.add("<sigint>")
    def _(event: KeyPressEvent) -> None:
        event.app.exit(result=None)

    @keys.add("c-d")
    def _(event: KeyPressEvent) -> None:
        event.app.exit(exception=EOFError)

    return keys


def _exit(app: Application[None]) -> None:
    if app.is_running and not app.is_done:
        app.exit()
