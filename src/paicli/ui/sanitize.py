"""Foreign text made harmless at the only way out (R6, C48): no byte of it may steer the terminal.

Control sequences vanish, single control characters become visible (`^M`), LF and TAB stay. Panels, where a person
decides by what stands there, use `revealed`: there nothing vanishes, invisible and bidi characters included (C84).
"""

import re
from enum import Enum

from paicli.core.unicode import BIDI, TAGS, UNSEEN, well_formed

_CONTROLS = "\x00-\x08\x0b-\x1f\x7f-\x9f"
_SPECIAL = re.compile(f"[{_CONTROLS}{TAGS}{BIDI}\ud800-\udfff]")
_INVISIBLE = re.compile(f"[{TAGS}\U000e0100-\U000e01ef]+|[{UNSEEN}]")
_CONTROL = re.compile(f"[{_CONTROLS}]")
_STRING_STARTS = "\x90\x98\x9d\x9e\x9f"
"""DCS, SOS, OSC, PM, APC in their one-byte form; the ESC forms are `P X ] ^ _`."""
_STRING_LIMIT = 4_096
"""Characters a control string may swallow: an unfinished one must not hide the rest of an answer."""


class _State(Enum):
    GROUND = 0
    CARRIAGE_RETURN = 1
    ESCAPE = 2
    CSI = 3
    STRING = 4
    STRING_ESCAPE = 5


class TextCleaner:
    """Cleans a text that comes in pieces; a sequence may be cut anywhere between them."""

    def __init__(self) -> None:
        self._state = _State.GROUND
        self._swallowed = 0

    def feed(self, piece: str) -> str:
        """What of `piece` may be shown now."""
        if self._state is _State.GROUND and not _SPECIAL.search(piece):
            return piece
        shown: list[str] = []
        position = 0
        piece = well_formed(piece)
        while position < len(piece):
            if self._state is _State.GROUND:
                special = _SPECIAL.search(piece, position)
                end = special.start() if special else len(piece)
                shown.append(piece[position:end])
                position = end
                if special is None:
                    break
            is_taken, text = self._step(piece[position])
            shown.append(text)
            position += is_taken
        return "".join(shown)

    def finish(self) -> str:
        """What was held back at the end of the text."""
        held = "^M" if self._state is _State.CARRIAGE_RETURN else ""
        self._state = _State.GROUND
        return held

    def _step(self, character: str) -> tuple[bool, str]:
        """(was the character consumed, what to show)"""
        match self._state:
            case _State.GROUND:
                return True, self._on_ground(character)
            case _State.CARRIAGE_RETURN:
                self._state = _State.GROUND
                return (True, "\n") if character == "\n" else (False, "^M")
            case _State.ESCAPE:
                return self._after_escape(character), ""
            case _State.CSI:
                return self._inside_csi(character), ""
            case _State.STRING:
                return self._inside_string(character), ""
            case _State.STRING_ESCAPE:
                self._state = _State.GROUND if character == "\\" else _State.ESCAPE
                return character == "\\", ""

    def _on_ground(self, character: str) -> str:
        if character == "\x1b":
            self._state = _State.ESCAPE
        elif character == "\r":
            self._state = _State.CARRIAGE_RETURN
        elif character == "\x9b":
            self._state = _State.CSI
        elif character in _STRING_STARTS:
            self._begin_string()
        elif "\u202a" <= character <= "\u2069":
            return f"<U+{ord(character):04X}>"
        elif character < "\xa0" and character != "\x9c":
            return _caret(character)
        return ""

    def _after_escape(self, character: str) -> bool:
        if character == "[":
            self._state = _State.CSI
        elif character in "PX]^_":
            self._begin_string()
        elif character == "\x1b" or " " <= character <= "/":
            pass  # another ESC, or an intermediate byte: the sequence goes on
        else:
            self._state = _State.GROUND
            return "0" <= character <= "~"
        return True

    def _inside_csi(self, character: str) -> bool:
        if " " <= character <= "?":
            return True
        self._state = _State.GROUND
        return "@" <= character <= "~"

    def _inside_string(self, character: str) -> bool:
        self._swallowed += 1
        if character == "\x1b":
            self._state = _State.STRING_ESCAPE
        elif character in "\x07\x9c\x18\x1a":
            self._state = _State.GROUND
        elif character == "\n" or self._swallowed > _STRING_LIMIT:
            self._state = _State.GROUND
            return False
        return True

    def _begin_string(self) -> None:
        self._state = _State.STRING
        self._swallowed = 0


def clean(text: str) -> str:
    """A whole text, cleaned."""
    if not _SPECIAL.search(text):
        return text
    cleaner = TextCleaner()
    return cleaner.feed(text) + cleaner.finish()


def revealed(text: str) -> str:
    """For panels: every control, bidi and invisible character in visible form; joiners of emoji and Persian stay."""
    text = well_formed(text).replace("\r\n", "\n")
    text = _CONTROL.sub(lambda found: _caret(found[0]), text)
    return _INVISIBLE.sub(lambda found: _code_point(found[0]), text)


def hidden_count(text: str) -> int:
    """How many characters of `text` a reader would not see."""
    return sum(len(found[0]) for found in _INVISIBLE.finditer(text))


def _caret(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code >= 0x80 else "^" + chr(code ^ 0x40)


def _code_point(run: str) -> str:
    count = f"×{len(run)}" if len(run) > 1 else ""
    return f"<U+{ord(run[0]):04X}{count}>"
