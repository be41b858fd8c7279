"""The panel of a call that needs approval."""

from typing import ClassVar

from paicli.core.catalogue.lookup import Texts
from paicli.core.events import ApprovalRequested, Event
from paicli.core.ops import ApprovalDecision, DecideApproval
from paicli.ui.asking.argument_edits import ArgumentEdit, WrongText
from paicli.ui.live.panels import TYPING_PART, Decided, Outcome, Scroll, StillOpen, WantsText, framed, is_silent
from paicli.ui.rendering.approval_lines import UNREADABLE_LIMIT, approval_lines, grant_text, keys_line
from paicli.ui.rendering.folds import FoldShelf, folded_at
from paicli.ui.rendering.styled import Line, Style, fitted_rows, line
from paicli.ui.rendering.tool_lines import FOLD_LINES

EDIT_CHARACTERS = 20_000
"""Longer arguments are no text for an input line."""

KEYS_PART = 4
"""The keys take at most this part of the panel; else they are told in short, and what `a` grants with the call."""

_REASON, _EDIT = "approval.reason_prompt", "approval.edit_prompt"


class ApprovalPanel:
    """y or Enter allows, a all of this kind, n and r refuse, s skips, m edits, ESC cancels the turn."""

    starts_typing = False
    _DECISIONS: ClassVar[dict[str, ApprovalDecision]] = {
        "y": ApprovalDecision.ALLOW,
        "enter": ApprovalDecision.ALLOW,
        "a": ApprovalDecision.ALLOW_SESSION,
        "n": ApprovalDecision.DENY,
        "s": ApprovalDecision.SKIP,
        "escape": ApprovalDecision.CANCEL,
    }

    def __init__(
        self, event: Event, request: ApprovalRequested, texts: Texts, *, shelf: FoldShelf | None = None
    ) -> None:
        """A long diff is folded in what stays of the panel; the whole goes to `shelf`."""
        self.request_id = request.request_id
        self._event, self._request, self._shelf = event, request, shelf
        self._lines = approval_lines(event, request, texts)
        self._texts = texts
        self._edit = ArgumentEdit(request.arguments)
        self._unreadable = 0
        self._typing = ""
        self._hint: list[Line] = []
        self._scroll = Scroll(texts)

    def record(self) -> list[Line]:
        def fold(diff: list[Line]) -> list[Line]:
            return folded_at(diff, FOLD_LINES, self._texts, shelf=self._shelf)

        return approval_lines(self._event, self._request, self._texts, fold=fold)

    def rows(self, columns: int, height: int) -> list[Line]:
        whole, keys = self._lines, keys_line(self._request, self._texts)
        if self._typing == _EDIT:
            height = max(4, height // TYPING_PART)
            keys = line(self._texts.screen("approval.edit_hint"), Style.ACCENT)
        elif len(fitted_rows(keys, columns)) * KEYS_PART > height:
            grant = self._texts.screen("approval.grant", grant=grant_text(self._request, self._texts))
            whole, keys = [*whole, line(grant)], line(self._texts.screen("approval.keys_short"), Style.ACCENT)
        return framed(whole, [*self._hint, keys], self._scroll, columns=columns, height=height)

    def press(self, key: str) -> Outcome:
        self._hint = []
        pressed = key.lower()
        if pressed == "r":
            self._typing = _REASON
            return WantsText(_REASON)
        if pressed == "m":
            return self._begin_edit()
        decision = self._DECISIONS.get(pressed)
        if decision is None and not self._scroll.press(key) and not is_silent(key):
            self._unreadable += 1
            self._warn("approval.unreadable", count=self._unreadable)
            if self._unreadable >= UNREADABLE_LIMIT:
                decision = ApprovalDecision.DENY
        return self._decide(decision) if decision else StillOpen()

    def take_text(self, text: str) -> Outcome:
        typing, self._typing = self._typing, ""
        if not text:
            return StillOpen()
        if typing == _REASON:
            return self._decide(ApprovalDecision.DENY, reason=text)
        arguments = self._edit.arguments_of(text)
        if isinstance(arguments, WrongText):
            self._warn(arguments.code, **dict(arguments.fields))
            self._typing = _EDIT
            return WantsText(_EDIT, text)
        return self._decide(ApprovalDecision.EDIT, arguments=arguments)

    def stop_text(self) -> None:
        self._typing, self._hint = "", []

    def _begin_edit(self) -> Outcome:
        text = self._edit.text
        if len(text) > EDIT_CHARACTERS:
            self._warn("approval.edit_too_long", count=len(text))
            return StillOpen()
        self._typing = _EDIT
        return WantsText(_EDIT, text)

    def _warn(self, code: str, **fields: object) -> None:
        self._hint = [line(self._texts.screen(code, **fields), Style.WARNING)]

    def _decide(self, decision: ApprovalDecision, *, reason: str = "", arguments: str = "") -> Decided:
        return Decided(DecideApproval(self.request_id, decision, reason, arguments))
