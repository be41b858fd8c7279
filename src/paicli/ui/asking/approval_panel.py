"""The panel of a call that needs approval (SPEC 8.5)."""

import json
from typing import ClassVar

from paicli.core.catalogue.lookup import Texts
from paicli.core.events import ApprovalRequested, Event
from paicli.core.ops import ApprovalDecision, DecideApproval
from paicli.core.strict_json import JsonFault, parse_strict
from paicli.ui.live.panels import TYPING_PART, Decided, Outcome, Scroll, StillOpen, WantsText, framed, is_silent
from paicli.ui.rendering.approval_lines import UNREADABLE_LIMIT, approval_lines, keys_line
from paicli.ui.rendering.styled import Line, Style, line
from paicli.ui.rendering.tool_lines import parsed_arguments
from paicli.ui.sanitize import hidden_count

EDIT_CHARACTERS = 20_000
"""Longer arguments are no text for an input line."""

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

    def __init__(self, event: Event, request: ApprovalRequested, texts: Texts) -> None:
        self.request_id = request.request_id
        self._request = request
        self._lines = approval_lines(event, request, texts)
        self._texts = texts
        self._unreadable = 0
        self._typing = ""
        self._hint: list[Line] = []
        self._scroll = Scroll(texts)

    def record(self) -> list[Line]:
        return self._lines

    def rows(self, columns: int, height: int) -> list[Line]:
        if self._typing == _EDIT:
            height = max(3, height // TYPING_PART)
            keys = [*self._hint, line(self._texts.screen("approval.edit_hint"), Style.ACCENT)]
        else:
            keys = [keys_line(self._request, self._texts), *self._hint]
        return framed(self._lines, keys, self._scroll, columns=columns, height=height)

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
        arguments = self._arguments_of(text)
        if arguments is None:
            self._typing = _EDIT
            return WantsText(_EDIT, text)
        return self._decide(ApprovalDecision.EDIT, arguments=arguments)

    def stop_text(self) -> None:
        self._typing, self._hint = "", []

    def _begin_edit(self) -> Outcome:
        text = self._editable()
        if len(text) > EDIT_CHARACTERS:
            self._warn("approval.edit_too_long", count=len(text))
            return StillOpen()
        self._typing = _EDIT
        return WantsText(_EDIT, text)

    def _edits_command(self) -> str:
        """The command when it can be edited as it is: then nothing in it is invisible."""
        command = parsed_arguments(self._request.arguments).get("command")
        return command if isinstance(command, str) and not hidden_count(command) and command.isprintable() else ""

    def _editable(self) -> str:
        command = self._edits_command()
        if command:
            return command
        values = parsed_arguments(self._request.arguments)
        if not values:
            return self._request.arguments
        is_plain = not hidden_count(self._request.arguments)
        return json.dumps(values, ensure_ascii=not is_plain, indent=2)

    def _arguments_of(self, text: str) -> str | None:
        """The typed text as JSON arguments; None when it is none, and the hint says why."""
        if self._edits_command():
            return json.dumps(parsed_arguments(self._request.arguments) | {"command": text}, ensure_ascii=False)
        try:
            is_object = isinstance(parse_strict(text), dict)
        except JsonFault as fault:
            self._warn("approval.edit_no_json", line=fault.line, column=fault.column, what=fault.reason)
            return None
        if not is_object:
            self._warn("approval.edit_no_object")
            return None
        return text

    def _warn(self, code: str, **fields: object) -> None:
        self._hint = [line(self._texts.screen(code, **fields), Style.WARNING)]

    def _decide(self, decision: ApprovalDecision, *, reason: str = "", arguments: str = "") -> Decided:
        return Decided(DecideApproval(self.request_id, decision, reason, arguments))
