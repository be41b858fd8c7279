"""`@path` in a person's words: found, and written so that it is found again.

A mention begins at an `@` that stands at no word's end (so `me@example.com`, `\\@x` and `@@x` are none) and outside of
`code`. `@"a b.txt"` is quoted; inside quotes a backslash escapes: \\" \\\\ \\n \\t \\r \\uXXXX \\UXXXXXXXX and, for a
byte that is no UTF-8, \\xHH. `@server:scheme://…` names a resource and no file.
"""

import re
import unicodedata
from typing import NamedTuple

_PUNCTUATION = (
    "\uff0c\u3002\uff1b\uff1a\uff01\uff1f\u3001\uff08\uff09\u3010\u3011\u300c\u300d\u300e\u300f"
    "\u300a\u300b\u3008\u3009\u201c\u201d\u2018\u2019\u2026"
)
"""Of Chinese sentences: ends a path that stands in no quotes."""
_RUN = re.compile(rf"[^\s\0\"'`<>|{_PUNCTUATION}]+")
_QUOTED = re.compile(r'"(?P<text>(?:[^"\\\n]|\\[^\n])*)(?:"|(?=\n)|\\?\Z)')
_SINGLE_QUOTED = re.compile(r"'(?P<text>[^'\n]+)'")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)
_RESOURCE = re.compile(r"[\w.-]+:[a-z][\w+.-]*://")
_ESCAPE = re.compile(
    r"\\(?:x(?P<byte>[0-9a-fA-F]{2})|u(?P<short>[0-9a-fA-F]{4})|U(?P<long>[0-9a-fA-F]{8})|(?P<other>.))"
)
_PLAIN_PATH = re.compile(r"[\w./+~%=^-]+")
_ENDINGS = ".,;:!?)]}"
_LETTERS = {"n": "\n", "t": "\t", "r": "\r"}
_ESCAPED = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_NO_WORD_BEFORE = "\\@_.+%-/=&~"
_CJK_FROM = 0x2E80
_LAST_CODE_POINT = 0x10FFFF
MAX_READINGS = 8


class Mention(NamedTuple):
    """One `@…` in a text."""

    start: int
    """Where the `@` stands."""
    readings: tuple[str, ...]
    """What path it may mean, longest first: `a.py)` may be a file of that name, or `a.py` in brackets."""
    is_quoted: bool = False

    @property
    def shown(self) -> str:
        """The path it most likely means."""
        return self.readings[0] if self.is_quoted else _without_ending(self.readings[0]) or self.readings[0]


class UnfinishedMention(NamedTuple):
    """The mention that is being typed."""

    start: int
    path: str
    """As far as it has been typed, without quotes and escapes."""


def find_mentions(text: str) -> list[Mention]:
    """In order of their places."""
    found: list[Mention] = []
    at = -1
    code_ends = [(span.start(), span.end()) for span in reversed([*_CODE.finditer(text)])]
    while (at := text.find("@", at + 1)) >= 0:
        while code_ends and code_ends[-1][1] <= at:
            code_ends.pop()
        if _may_begin(text, at) and not (code_ends and code_ends[-1][0] <= at):
            mention = _mention_at(text, at)
            if mention is not None:
                found.append(mention)
    return found


def unfinished_mention(before_cursor: str) -> UnfinishedMention | None:
    """The mention at whose end the cursor stands; None elsewhere."""
    line_start = before_cursor.rfind("\n") + 1
    at = len(before_cursor)
    while (at := before_cursor.rfind("@", line_start, at)) >= 0:
        rest = before_cursor[at + 1 :]
        if not _may_begin(before_cursor, at):
            continue
        if rest.startswith('"'):
            quoted = _QUOTED.fullmatch(rest)
            is_closed = len(rest) > 1 and rest.endswith('"') and quoted is not None and quoted["text"] == rest[1:-1]
            return None if quoted is None or is_closed else UnfinishedMention(at, _unescaped(rest[1:]))
        if not rest or _RUN.fullmatch(rest):
            return UnfinishedMention(at, rest)
    return None


def written_mention(path: str, *, is_folder: bool = False) -> str:
    """`@path` as `find_mentions` reads it back, quoted and escaped where it has to be.

    A quoted folder keeps its quote open, so that one can type on below it.
    """
    shown = path + "/" if is_folder and not path.endswith("/") else path
    is_plain = _PLAIN_PATH.fullmatch(shown) and all(map(_is_visible, shown)) and _without_ending(shown) == shown
    if is_plain:
        return "@" + shown
    return '@"' + "".join(map(_escaped, shown)) + ("" if is_folder else '"')


def _may_begin(text: str, at: int) -> bool:
    before = text[at - 1] if at else " "
    return not (before in _NO_WORD_BEFORE or (before.isalnum() and ord(before) < _CJK_FROM))


def _mention_at(text: str, at: int) -> Mention | None:
    quoted = _QUOTED.match(text, at + 1)
    if quoted is not None:
        path = _unescaped(quoted["text"])
        return Mention(at, (path,), is_quoted=True) if path else None
    quoted = _SINGLE_QUOTED.match(text, at + 1)
    if quoted is not None:
        return Mention(at, (quoted["text"],), is_quoted=True)
    run = _RUN.match(text, at + 1)
    if run is None or run[0].startswith("@") or _RESOURCE.match(run[0]):
        return None
    is_path = _without_ending(run[0]) or run[0] == "."
    return Mention(at, _readings(run[0])) if is_path else None


def _readings(run: str) -> tuple[str, ...]:
    """The whole run, then what is left when it is cut where a sentence may go on."""
    readings = [run, _without_ending(run)]
    for end in range(len(run) - 1, 0, -1):
        is_switch = run[end] in ",;:()[]{}" or (ord(run[end - 1]) < _CJK_FROM <= ord(run[end]))
        if is_switch:
            readings.append(_without_ending(run[:end]))
    return tuple(dict.fromkeys(reading for reading in readings if reading))[:MAX_READINGS]


def _without_ending(run: str) -> str:
    """Without the punctuation of the sentence around it; a bracket that the path itself opened is its own."""
    while run and run[-1] in _ENDINGS:
        opened = {")": "(", "]": "[", "}": "{"}.get(run[-1])
        if opened is not None and run.count(opened) >= run.count(run[-1]):
            break
        run = run[:-1]
    return run


def _escaped(character: str) -> str:
    code = ord(character)
    if character in _ESCAPED:
        return _ESCAPED[character]
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    if character == " " or _is_visible(character):
        return character
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _is_visible(character: str) -> bool:
    """No control, no direction mark, no odd space, no surrogate."""
    return unicodedata.category(character)[0] not in "CZ"


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(_character, text)


def _character(escape: re.Match[str]) -> str:
    if escape["other"] is not None:
        return _LETTERS.get(escape["other"], escape["other"])
    if escape["byte"] is not None:
        byte = int(escape["byte"], 16)
        return chr(byte if byte < 0x80 else 0xDC00 + byte)
    code = int(escape["short"] or escape["long"], 16)
    is_character = code <= _LAST_CODE_POINT and not 0xD800 <= code <= 0xDFFF
    return chr(code) if is_character else "\ufffd"
