"""ESC ESC and `/rewind` in the live session: which turn, what of it, and what that would change."""

from collections.abc import Callable

from paicli.core.ops import Op, Rewind, RewindScope
from paicli.ui.asking.panel_desk import PanelDesk


class GoingBack:
    """Belongs to the terminal's thread."""

    def __init__(
        self,
        asking: PanelDesk,
        *,
        show_first: Callable[[Rewind], None],
        say: Callable[..., None],
        submit: Callable[[Op], None],
    ) -> None:
        """`show_first`: files come back only after what that changes was shown."""
        self._asking = asking
        self._show_first = show_first
        self._say = say
        self._submit = submit

    def begin(self, argument: str = "") -> None:
        """The list of turns, or at once what `argument` says: `N`, `N files`, `N both`."""
        turns = self._asking.history.turns
        number, scope = split_rewind(argument)
        turn = self._asking.history.numbered(number)
        if not turns:
            self._say("rewind.none")
        elif not argument:
            self._asking.open_turn_list()
        elif turn is None or scope is None:
            self._say("rewind.usage", count=len(turns))
        elif number == argument:
            self._asking.open_turn_list(turn)
        elif scope is RewindScope.CONVERSATION:
            self._submit(Rewind(turn.turn_id))
        else:
            self._show_first(Rewind(turn.turn_id, scope))


def split_rewind(argument: str) -> tuple[str, RewindScope | None]:
    """`2 files` → ("2", FILES); a number alone takes the conversation; None: no such scope."""
    number, _, word = argument.partition(" ")
    word = word.strip().lower()
    if not word:
        return number, RewindScope.CONVERSATION
    return number, RewindScope(word) if word in set(RewindScope) else None
