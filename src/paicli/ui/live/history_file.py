"""The input history as prompt_toolkit wants it; where it is kept is not the terminal's business."""

from collections.abc import Callable, Iterable

from prompt_toolkit.history import History

from paicli.ui.input_sources import HistoryStore

ENTRY_CHARACTERS = 20_000
"""An entry that is longer is kept as it was shown, with its pastes folded."""


class KeptHistory(History):
    """Lines that begin with a space are left out."""

    def __init__(self, store: HistoryStore, *, expand: Callable[[str], str]) -> None:
        """`expand` puts the pastes back in place of their placeholders."""
        super().__init__()
        self._store = store
        self._expand = expand

    def append_string(self, string: str) -> None:
        if string.strip() and not string.startswith(" "):
            super().append_string(string)

    def load_history_strings(self) -> Iterable[str]:
        """The newest first."""
        return self._store.entries()

    def store_string(self, string: str) -> None:
        expanded = self._expand(string)
        self._store.append(expanded if len(expanded) <= ENTRY_CHARACTERS else string)
