"""The input below the output: what is typed, pasted, recalled, and when Enter sends it. One prompt for the session."""

from collections.abc import Callable
from typing import cast

from prompt_toolkit import PromptSession
from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.document import Document
from prompt_toolkit.enums import DEFAULT_BUFFER
from prompt_toolkit.filters import Condition, has_focus
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.key_binding.key_processor import KeyPressEvent
from prompt_toolkit.layout import HSplit
from prompt_toolkit.layout.controls import SearchBufferControl
from prompt_toolkit.layout.processors import BeforeInput
from prompt_toolkit.output import ColorDepth, Output

from paicli.core.catalogue.lookup import Texts
from paicli.core.unicode import well_formed
from paicli.ui.command_desk import CommandDesk
from paicli.ui.input_sources import InputSources
from paicli.ui.live.bursts import KeyBursts, TypedAhead
from paicli.ui.live.completion import InputCompleter, completes_while_typing
from paicli.ui.live.drawing.shrinking import shrink_with_content
from paicli.ui.live.history_file import KeptHistory
from paicli.ui.live.pasting.image_paste import ImagePaste
from paicli.ui.live.pasting.pastes import PasteShelf, Typed

MENU_ROWS = 6


class Composer:
    """Owns prompt_toolkit's session and buffer. Belongs to the app's thread."""

    def __init__(
        self,
        *,
        texts: Texts,
        desk: CommandDesk,
        sources: InputSources,
        keys: KeyBindings,
        clock: Callable[[], float],
        terminal: tuple[Input, Output],
        color_depth: ColorDepth | None,
        say: Callable[..., None],
    ) -> None:
        self.pastes = PasteShelf(texts)
        self._texts = texts
        self._stashed: Document | None = None
        """The half-typed text, while an answer to a panel is typed in its place."""
        self._lent_prompt = ""
        self.typed_ahead = TypedAhead()
        self._bursts = KeyBursts(clock)
        self._has_burst_lines = False
        self._images = ImagePaste(sources.pictures, desk, insert=self._insert_picture, say=say)
        self._bind_backspace(keys)
        typed_input, output = terminal
        self.session: PromptSession[int] = PromptSession(
            self._message,
            multiline=True,
            wrap_lines=True,
            history=KeptHistory(sources.history, expand=self.pastes.expanded),
            completer=InputCompleter(desk, texts, sources),
            complete_while_typing=Condition(lambda: completes_while_typing(self.buffer.document.text_before_cursor)),
            reserve_space_for_menu=MENU_ROWS,
            search_ignore_case=True,
            enable_suspend=True,
            erase_when_done=True,
            prompt_continuation="  ",
            refresh_interval=0,
            key_bindings=keys,
            color_depth=color_depth,
            input=typed_input,
            output=output,
        )
        self.buffer: Buffer = self.session.default_buffer
        self.app: Application[int] = self.session.app
        self.app.ttimeoutlen = self.app.timeoutlen = 0.05
        shrink_with_content(self.app)
        self._name_search()

    @property
    def windows(self) -> HSplit:
        """The stack of windows, to add to."""
        return cast(HSplit, self.session.layout.container)

    @property
    def is_lent(self) -> bool:
        """A panel has the input, for one answer."""
        return self._stashed is not None

    def lend(self, prompt_code: str, prefilled: str) -> None:
        """The next line is an answer to a panel; what was half-typed comes back after it."""
        self._stashed = self._stashed or self.buffer.document
        self._lent_prompt = prompt_code
        self.buffer.set_document(Document(prefilled), bypass_readonly=True)

    def give_back(self) -> str:
        """Returns what was typed, in place of which the half-typed text stands again."""
        text = self.pastes.expanded(well_formed(self.buffer.text)).strip()
        self.buffer.set_document(self._stashed or Document(), bypass_readonly=True)
        self._stashed = None
        return text

    def paste(self, pasted: str) -> None:
        """A bracketed paste: inserted, never sent. An empty one asks the clipboard for a picture."""
        if not pasted:
            self._begin_picture()
            return
        self.buffer.insert_text(self.pastes.shown(pasted, before=self.buffer.document.text_before_cursor))

    def _begin_picture(self) -> None:
        if not self.is_lent and not self.buffer.read_only():
            self._images.begin()

    def _insert_picture(self, path: str) -> None:
        placeholder = self.pastes.picture(path)
        if self._stashed is not None:  # a question came meanwhile
            self._stashed = Document(self._stashed.text + placeholder)
        else:
            self.buffer.insert_text(placeholder)

    def _name_search(self) -> None:
        """Ctrl+R asks in the language of the session."""
        asks = BeforeInput(lambda: self._texts.screen("session.search_prompt"), style="class:search-toolbar.prompt")
        for control in self.app.layout.find_all_controls():
            if isinstance(control, SearchBufferControl):
                control.input_processors = [asks, *(control.input_processors or [])[1:]]

    def _bind_backspace(self, keys: KeyBindings) -> None:
        """A placeholder goes in one piece."""

        def placeholder() -> str:
            return self.pastes.placeholder_at_end(self.buffer.document.text_before_cursor)

        @keys.add("backspace", filter=has_focus(DEFAULT_BUFFER) & Condition(lambda: bool(placeholder())))
        def remove(event: KeyPressEvent) -> None:
            self.buffer.delete_before_cursor(len(placeholder()))

    def newline(self) -> None:
        self.buffer.insert_text("\n")

    def enter_makes_newline(self, event: KeyPressEvent) -> bool:
        """True when Enter is one of several in a burst of keys (an unbracketed paste), or follows a backslash.

        The Enter at the end of a burst sends when it is the only one: `text CR`, written at once, is a line.
        """
        if self._bursts.is_inside(event):
            self._has_burst_lines = True
            return True
        had_lines, self._has_burst_lines = self._has_burst_lines, False
        if self._bursts.ends() and had_lines:
            return True
        if self.buffer.document.is_cursor_at_the_end and self.buffer.text.endswith("\\"):
            self.buffer.delete_before_cursor()
            return True
        return False

    def takes_completion(self) -> bool:
        """True when Enter takes the path that is chosen in the menu; commands and shell lines are sent at once instead.

        A folder that was taken opens the menu of what is in it.
        """
        state = self.buffer.complete_state
        if state is None or state.current_completion is None or self.buffer.text.startswith(("/", "!")):
            return False
        is_folder = state.current_completion.text.endswith("/")
        self.buffer.complete_state = None
        if is_folder:
            self.buffer.start_completion(select_first=False)
        return True

    def take(self) -> Typed:
        """The input, taken out and remembered in the history."""
        typed = self.pastes.split(well_formed(self.buffer.text))
        self.buffer.cancel_completion()
        self.buffer.append_to_history()
        self.buffer.reset()
        return typed

    def clear(self) -> None:
        self.buffer.reset()

    def put_before(self, text: str) -> None:
        """Recalled text comes back, before what was typed since."""
        typed = self.buffer.text
        self.buffer.set_document(Document(f"{text}\n{typed}" if typed.strip() else text), bypass_readonly=True)

    def _message(self) -> str:
        return self._texts.screen(self._lent_prompt if self.is_lent else "session.prompt")
