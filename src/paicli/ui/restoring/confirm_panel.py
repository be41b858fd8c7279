"""The panel that shows what would change and takes one key for yes or no."""

from paicli.core.catalogue.lookup import Texts
from paicli.ui.command import Confirm
from paicli.ui.live.panels import Closed, Decided, Outcome, Scroll, StillOpen, framed
from paicli.ui.rendering.styled import Line, Style, line

_YES, _NO = frozenset({"y", "Y", "enter"}), frozenset({"n", "N", "escape"})


class ConfirmPanel:
    """y or Enter does it; n or ESC closes; the rest scrolls."""

    request_id = ""
    starts_typing = False

    def __init__(self, confirm: Confirm, texts: Texts) -> None:
        self._confirm = confirm
        self._texts = texts
        self._scroll = Scroll(texts)

    def record(self) -> list[Line]:
        return list(self._confirm.shown)

    def rows(self, columns: int, height: int) -> list[Line]:
        keys = [line(self._texts.screen("snapshots.keys"), Style.ACCENT)]
        return framed(list(self._confirm.shown), keys, self._scroll, columns=columns, height=height)

    def press(self, key: str) -> Outcome:
        if key in _YES:
            return Decided(self._confirm.op)
        if key in _NO:
            return Closed((line(self._texts.screen("snapshots.not_done"), Style.DIM),))
        self._scroll.press(key)
        return StillOpen()

    def take_text(self, text: str) -> Outcome:
        return StillOpen()

    def stop_text(self) -> None:
        return
