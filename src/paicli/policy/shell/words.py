"""One shell word after quote removal and expansion, with marks where only a running shell knows the text."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tree_sitter import Node

UNKNOWN = "\x00"
"""Stands for a part only the running shell knows (a variable, a command's output)."""
HOME = "\x01"
"""Stands for the person's home folder (`~`, `$HOME`)."""
WORKING_FOLDER = "\x02"
"""Stands for the folder the command runs in (`$PWD`, `$(pwd)`)."""

# Marks of unquoted characters while a word is being built; control characters never come from the text itself.
_OPEN, _COMMA, _CLOSE, _GLOB, _SPLIT, _TILDE = "\x03", "\x04", "\x05", "\x06", "\x07", "\x08"
_UNQUOTED = str.maketrans(
    {"{": _OPEN, ",": _COMMA, "}": _CLOSE, "~": _TILDE, "*": _GLOB + "*", "?": _GLOB + "?", "[": _GLOB + "["}
)

_MOST_FORMS = 64
"""Brace lists and alternatives beyond this are unknown."""

_MOST_BRACES = 128

_ANSI_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{1,2}|u[0-9a-fA-F]{1,4}|U[0-9a-fA-F]{1,8}|[0-7]{1,3}|c.|.)", re.DOTALL)
_VARIABLE = re.compile(r"\$[A-Za-z0-9_{(@*#?!$-]")
_ANSI_LETTERS = dict(zip("abefnrtvE", "\a\b\x1b\f\n\r\t\v\x1b", strict=True))
_ANSI_SELF = frozenset("\\'\"?")

_WITH_FALLBACK = re.compile(r"(\w+):?[-=](.+)", re.DOTALL)
"""`${X:-text}` and its kin: what stands there when X is not set."""
_EXPANDED_OR_QUOTED = re.compile("[$`\"'\\\\]")

_QUOTED_ESCAPES = frozenset('$`"\\')

_PLAIN_PLACES = {"~": HOME, "$HOME": HOME, '"$HOME"': HOME, "/": "/", "$PWD": WORKING_FOLDER}
"""What `$(echo …)` of these prints."""

Values = Mapping[str, Sequence[str] | None]
"""What a variable may hold at this place of the text: the possible values, None when unknown."""


class Word(NamedTuple):
    """A word as the command gets it."""

    text: str
    """After quote removal; may hold UNKNOWN, HOME and WORKING_FOLDER."""
    has_glob: bool = False
    """An unquoted `*`, `?` or `[` is in it."""
    is_plain: bool = True
    """Stands in the text as it is: no variable, no substitution."""
    feeds: tuple[list[int], ...] = ()
    """For each substitution in it, the numbers of the commands inside."""
    is_process: bool = False
    """Is `<(…)`: names a pipe from the commands inside."""

    @property
    def is_known(self) -> bool:
        return UNKNOWN not in self.text


def expand(node: "Node", values: Values, feeds: tuple[list[int], ...] = ()) -> list[Word]:
    """The words `node` becomes: one, unless braces or a variable's alternatives make more of it."""
    builder = _Builder(values)
    forms = builder.forms(node)
    texts = [field for form in forms for braced in _braced(form) for field in braced.split(_SPLIT) if field or not form]
    if len(texts) > _MOST_FORMS:
        texts = [UNKNOWN]
    is_process = node.type == "process_substitution"
    return [Word(_finished(text), _GLOB in text, not builder.expands, feeds, is_process) for text in texts or [""]]


def source_of(node: "Node") -> str:
    return (node.text or b"").decode("utf-8", "replace")


class _Builder:
    """Collects the possible texts of one word."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self.expands = False

    def forms(self, node: "Node") -> list[str]:
        """The possible texts, unquoted specials marked."""
        forms = ["".join(texts) for texts in _limited(self._parts(node))]
        return list(map(_with_tilde_behind_equals, forms)) if node.type == "word" else forms

    def _parts(self, node: "Node") -> list[list[str]]:
        match node.type:
            case "concatenation" | "command_name" | "brace_expression":
                return [part for child in node.children for part in self._parts(child)]
            case "string":
                return self._string_parts(node)
            case "raw_string":
                return [[source_of(node)[1:-1]]]
            case "``":  # prints nothing
                return [[""]]
            case "ansi_c_string":
                return [[_ansi_c(source_of(node)[2:-1])]]
            case "simple_expansion" | "expansion":
                return self._expansion(node, is_quoted=False)
            case "command_substitution":
                return [[self._output(node)]]
            case "process_substitution" | "arithmetic_expansion" | "array":
                self.expands = True
                return [[UNKNOWN]]
            case "translated_string":
                return [part for child in node.children if child.type == "string" for part in self._parts(child)]
            case _:
                return [[self._other(source_of(node))]]

    def _other(self, source: str) -> str:
        """A bare word; also the operands of a test, which may hold variables."""
        if _VARIABLE.search(source.replace("\\$", "")):
            self.expands = True
            return UNKNOWN
        return _unquoted(source)

    def _string_parts(self, node: "Node") -> list[list[str]]:
        """Between double quotes; what no child covers is text too (a blank before a variable)."""
        source, start = node.text or b"", node.start_byte
        parts: list[list[str]] = []
        done = 1
        for child in node.children[1:-1]:
            parts.append([_in_quotes(source[done : child.start_byte - start])])
            if child.type in {"simple_expansion", "expansion"}:
                parts.extend(self._expansion(child, is_quoted=True))
            elif child.type == "command_substitution":
                parts.append([self._output(child)])
            elif child.type == "arithmetic_expansion":
                self.expands = True
                parts.append([UNKNOWN])
            else:
                parts.append([_in_quotes(child.text or b"")])
            done = child.end_byte - start
        parts.append([_in_quotes(source[done : len(source) - 1])])
        return parts

    def _expansion(self, node: "Node", *, is_quoted: bool) -> list[list[str]]:
        self.expands = True
        source = source_of(node)
        lead, _, name = source.partition("$")
        name = name[1:-1] if name.startswith("{") else name
        return [[lead], [value if is_quoted else _split(value) for value in self._values_of(name)]]

    def _values_of(self, name: str) -> Sequence[str]:
        if name == "HOME":
            return [HOME]
        if name == "PWD":
            return [WORKING_FOLDER]
        if name == "SHELL":
            return ["/bin/sh"]
        for known, meaning in (("HOME", HOME), ("PWD", WORKING_FOLDER), ("SHELL", "/bin/sh")):
            if name.startswith((f"{known}:-", f"{known}-", f"{known}:?", f"{known}?", f"{known}:=", f"{known}=")):
                return [meaning]
        if name in ("PWD%/*", "HOME%/*"):
            return [(HOME if name[0] == "H" else WORKING_FOLDER) + "/.."]
        if name.startswith("HOME%/"):
            return [HOME] if name == "HOME%/" else [UNKNOWN]
        if with_fallback := _WITH_FALLBACK.fullmatch(name):
            return self.values.get(with_fallback[1]) or [UNKNOWN, _fallback(with_fallback[2])]
        return self.values.get(name) or [UNKNOWN]

    def _output(self, node: "Node") -> str:
        self.expands = True
        words = source_of(node).strip("$()`").split()
        if words in (["pwd"], ["pwd", "-P"]):
            return WORKING_FOLDER
        if words[:1] in (["echo"], ["printf"]) and len(words) == 2 and words[1] in _PLAIN_PLACES:
            return _PLAIN_PLACES[words[1]]
        return f"/tmp/{UNKNOWN}" if words[:1] == ["mktemp"] else UNKNOWN


def _limited(parts: list[list[str]]) -> Iterator[tuple[str, ...]]:
    count = 1
    for part in parts:
        count *= len(part)
    if count > _MOST_FORMS:
        return iter([(UNKNOWN,)])
    return product(*parts)


def _unquoted(source: str) -> str:
    if "\\" not in source:
        return source.translate(_UNQUOTED)
    pieces: list[str] = []
    characters = iter(source)
    for character in characters:
        if character == "\\":
            following = next(characters, "\\")
            pieces.append("" if following == "\n" else following)
        else:
            pieces.append(character.translate(_UNQUOTED))
    return "".join(pieces)


def _in_quotes(raw: bytes) -> str:
    source = raw.decode("utf-8", "replace")
    if "\\" not in source:
        return source
    pieces: list[str] = []
    characters = iter(source)
    for character in characters:
        following = next(characters, "") if character == "\\" else ""
        if character == "\\" and following == "\n":
            continue
        pieces.append(following if following in _QUOTED_ESCAPES and following else character + following)
    return "".join(pieces)


def _ansi_c(source: str) -> str:
    """The text of `$'…'`; unknown where a control character or a byte of a longer character comes out."""
    text = _ANSI_ESCAPE.sub(_unescaped, source)
    return text if all(character.isprintable() or character in "\t\n" for character in text) else UNKNOWN


def _unescaped(match: re.Match[str]) -> str:
    kind, digits = match[1][0], match[1][1:]
    if kind in "xuU" and digits:
        code = int(digits, 16)
        return chr(code) if code < (0x80 if kind == "x" else 0x110000) else UNKNOWN
    if kind in "01234567":
        code = int(match[1], 8)
        return chr(code) if code < 0x80 else UNKNOWN
    return UNKNOWN if kind == "c" else _ANSI_LETTERS.get(kind, kind if kind in _ANSI_SELF else match[0])


def _fallback(source: str) -> str:
    if source in _PLAIN_PLACES:
        return _PLAIN_PLACES[source]
    bare = source[1:-1] if len(source) > 1 and source[0] == source[-1] and source[0] in "\"'" else source
    return UNKNOWN if _EXPANDED_OR_QUOTED.search(bare) else bare


def _split(value: str) -> str:
    """An unquoted variable's value falls apart at blanks, and its globs count."""
    fields = value.split()
    return _SPLIT.join(field.replace("*", _GLOB + "*").replace("?", _GLOB + "?") for field in fields)


def _braced(form: str) -> list[str]:
    """Brace expansion: `a{b,c}` → `ab`, `ac`. Iterative: the innermost list first; lone braces stay as they are."""
    if form.count(_OPEN) > _MOST_BRACES:
        return [UNKNOWN]
    done: list[str] = []
    waiting = [form]
    while waiting:
        current = waiting.pop()
        span = _innermost_list(current)
        if span is None:
            done.append(current)
            continue
        start, end = span
        choices = _choices(current[start + 1 : end])
        waiting.extend(current[:start] + choice + current[end + 1 :] for choice in reversed(choices))
        if len(waiting) + len(done) > _MOST_FORMS:
            return [UNKNOWN]
    return done


def _innermost_list(form: str) -> tuple[int, int] | None:
    opened = -1
    for place, character in enumerate(form):
        if character == _OPEN:
            opened = place
        elif character == _CLOSE and opened >= 0:
            inside = form[opened + 1 : place]
            if _COMMA in inside or ".." in inside:
                return opened, place
            opened = form.rfind(_OPEN, 0, opened)
    return None


def _choices(inside: str) -> list[str]:
    if _COMMA in inside:
        return inside.split(_COMMA)
    first, _, last = inside.partition("..")
    if first.isdecimal() and last.isdecimal() and 0 <= int(last) - int(first) < _MOST_FORMS:
        return [str(number) for number in range(int(first), int(last) + 1)]
    return [UNKNOWN]


def _with_tilde_behind_equals(form: str) -> str:
    """bash reads the `~` of `dd of=~/x` as the person's folder too."""
    name, equals, value = form.partition("=")
    is_home = equals and name.isidentifier() and (value == _TILDE or value.startswith(f"{_TILDE}/"))
    return f"{name}={HOME}{value[1:]}" if is_home else form


def _finished(text: str) -> str:
    """Marks back to characters; a leading `~` becomes the folder it means."""
    if text.startswith(_TILDE):
        name, slash, rest = text[1:].partition("/")
        if name in ("", "+"):
            text = (WORKING_FOLDER if name else HOME) + slash + rest
        elif name == "-":
            text = UNKNOWN + slash + rest
        elif name.replace("-", "").replace("_", "").isalnum():
            text = f"{HOME}/../{name}{slash}{rest}"
        else:
            text = "~" + text[1:]
    for mark, character in ((_OPEN, "{"), (_COMMA, ","), (_CLOSE, "}"), (_GLOB, ""), (_TILDE, "~")):
        text = text.replace(mark, character)
    return text
