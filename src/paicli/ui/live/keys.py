"""Which key does what. The acts themselves are the session's."""

from collections.abc import Callable
from typing import Protocol

from prompt_toolkit.enums import DEFAULT_BUFFER
from prompt_toolkit.filters import Condition, has_focus
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.key_binding.key_processor import KeyPressEvent
from prompt_toolkit.keys import Keys

from paicli.ui.live.editor_visit import Chord

ENTER = "enter"


class SessionActs(Protocol):
    """What keys can ask of the session."""

    def is_asked(self) -> bool:
        """A panel waits for a key: all keys are its."""
        ...

    def is_work_shown(self) -> bool:
        """The plan or to-do list stands over the prompt."""
        ...

    def toggle_work(self) -> None: ...
    def scroll_work(self, key: str) -> None: ...
    def has_queued(self) -> bool: ...
    def is_input_empty(self) -> bool: ...
    def press_in_panel(self, key: str, event: KeyPressEvent) -> None: ...
    def press_enter(self, event: KeyPressEvent) -> None: ...
    def press_escape(self) -> None: ...
    def press_interrupt(self) -> None: ...
    def press_end_of_input(self) -> None: ...
    def cycle_mode(self) -> None: ...
    def unfold(self) -> None: ...
    def recall_queued(self) -> None: ...
    def open_editor(self) -> None: ...
    def insert_newline(self, event: KeyPressEvent) -> None: ...
    def insert_paste(self, pasted: str) -> None:
        """Empty: the clipboard may hold a picture."""
        ...


def build_keys(acts: SessionActs, clock: Callable[[], float]) -> KeyBindings:
    """The bindings of the session, panels first.

    A panel's bindings are eager and name the special keys besides <any>: nothing reaches the input. ESC in the input
    is not eager: Alt+Enter and Alt+letter, which begin with ESC, keep their meaning.
    """
    keys = KeyBindings()
    _bind_input(keys, acts)
    _bind_editor(keys, acts, Chord(clock))
    _bind_panel(keys, acts)
    return keys


def _bind_panel(keys: KeyBindings, acts: SessionActs) -> None:
    is_asked = Condition(acts.is_asked)

    def press(event: KeyPressEvent) -> None:
        key = event.key_sequence[0].key
        name = key.value if isinstance(key, Keys) else key
        acts.press_in_panel(ENTER if name == Keys.ControlM.value else name, event)

    named = (ENTER, "escape", "c-c", "c-d", "c-j", "c-o", "c-z", "s-tab", "tab", "up", "down", "pageup", "pagedown",
             "home", "end", "c-t")  # fmt: skip
    for key in (*named, Keys.BracketedPaste, Keys.Any):
        keys.add(key, filter=is_asked, eager=True)(press)
    # An outside SIGINT keeps its own binding; pressed keys of a signal never come as <any>.


def _bind_input(keys: KeyBindings, acts: SessionActs) -> None:
    in_input = has_focus(DEFAULT_BUFFER)

    @keys.add(ENTER, filter=in_input)
    def enter(event: KeyPressEvent) -> None:
        acts.press_enter(event)

    @keys.add("c-j", filter=in_input)
    @keys.add("escape", ENTER, filter=in_input)
    def newline(event: KeyPressEvent) -> None:
        acts.insert_newline(event)

    @keys.add(Keys.BracketedPaste, filter=in_input)
    def paste(event: KeyPressEvent) -> None:
        acts.insert_paste(event.data)

    @keys.add("c-v", filter=in_input)
    def paste_picture(event: KeyPressEvent) -> None:
        acts.insert_paste("")  # what a terminal sends that is told to paste a picture

    @keys.add("escape", filter=in_input)
    def escape(event: KeyPressEvent) -> None:
        acts.press_escape()

    @keys.add("c-c", filter=in_input)
    @keys.add("<sigint>")
    def interrupt(event: KeyPressEvent) -> None:
        acts.press_interrupt()

    @keys.add("c-d", filter=in_input & Condition(acts.is_input_empty))
    def end_of_input(event: KeyPressEvent) -> None:
        acts.press_end_of_input()

    @keys.add("s-tab", filter=in_input)
    def cycle(event: KeyPressEvent) -> None:
        acts.cycle_mode()

    @keys.add("c-o", filter=in_input)
    def unfold(event: KeyPressEvent) -> None:
        acts.unfold()

    @keys.add("c-t", filter=in_input)
    def toggle_work(event: KeyPressEvent) -> None:
        acts.toggle_work()

    @keys.add("pageup", filter=in_input & Condition(acts.is_work_shown))
    @keys.add("pagedown", filter=in_input & Condition(acts.is_work_shown))
    def scroll_work(event: KeyPressEvent) -> None:
        key = event.key_sequence[0].key
        acts.scroll_work(key.value if isinstance(key, Keys) else key)

    @keys.add("up", filter=in_input & Condition(acts.is_input_empty) & Condition(acts.has_queued))
    def recall(event: KeyPressEvent) -> None:
        acts.recall_queued()


def _bind_editor(keys: KeyBindings, acts: SessionActs, chord: Chord) -> None:
    """Ctrl+G, and Ctrl+X Ctrl+E: a chord with a state of its own, since key sequences time out after 50 ms."""
    # An eager binding would win over the panel's <any>.
    in_input = has_focus(DEFAULT_BUFFER) & ~Condition(acts.is_asked)

    @keys.add("c-x", filter=in_input, eager=True)
    def begin_chord(event: KeyPressEvent) -> None:
        chord.begin()

    @keys.add("c-g", filter=in_input)
    @keys.add("c-e", filter=in_input & Condition(chord.is_begun), eager=True)
    def open_editor(event: KeyPressEvent) -> None:
        chord.end()
        acts.open_editor()

    @keys.add(Keys.Any, filter=in_input & Condition(chord.is_begun), eager=True)
    def other_key(event: KeyPressEvent) -> None:
        chord.end()
        event.key_processor.feed(event.key_sequence[0], first=True)
