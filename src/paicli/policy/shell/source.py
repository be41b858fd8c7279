"""A shell text as tree-sitter reads it; where bash may read it differently, it counts as not parsed."""

import re
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Tree

LONGEST = 32_000
"""Characters; longer texts are not parsed."""

_HARMLESS_GAP = b" \t\r\n"
_LITERAL_LEAVES = frozenset({"raw_string", "ansi_c_string", "comment"})
_ESCAPING_LEAVES = frozenset({"word", "string_content", "heredoc_body", "heredoc_content"})
_SUBSTITUTING = frozenset({"command_substitution", "simple_expansion", "expansion", "arithmetic_expansion"})
_HEREDOC_LEAVES = frozenset({"heredoc_body", "heredoc_content"})
_LOOKED_UP_BEHIND_A_BRACE = re.compile(rb"\{[0-9]*(?:\.\.[0-9]*)?([\xc4-\xf4][\x80-\xbf]+)")
"""The scanner looks there for the numbers of `{1..9}` with C's isdigit(), whose table ends at U+00FF: what glibc reads
behind it may crash the process (tree-sitter-bash 0.25, issue 337 there)."""
_STAND_INS = {2: "×".encode(), 3: "×_".encode(), 4: "××".encode()}
"""By length in bytes: to bash, too, part of a word and nothing else."""


class Unparsable(Exception):
    """The text can't be read with certainty; a person or a review has to. Never leaves the policy room."""


def check_characters(text: str) -> None:
    """Raises Unparsable for texts too long, not encodable, or with control characters (bash: part of a word)."""
    if len(text) > LONGEST:
        raise Unparsable("length")
    if any(not character.isprintable() and _is_control(character) for character in text):
        raise Unparsable("control character")


def _is_control(character: str) -> bool:
    code = ord(character)
    return (code < 0x20 and character not in "\t\n\r") or 0x7F <= code < 0xA0 or 0xD800 <= code < 0xE000


def read_tree(raw: bytes) -> "Tree":
    """The tree over UTF-8 `raw`; its nodes give the text of `raw`, whatever stood in for it while it was read."""
    source = bytearray(raw)
    for found in _LOOKED_UP_BEHIND_A_BRACE.finditer(raw):
        start, end = found.span(1)
        source[start:end] = _STAND_INS[end - start]
    tree = _parser().parse(source)
    source[:] = raw  # the tree keeps `source`, and cuts the text of its nodes from it
    return tree


_PARSERS = threading.local()


def _parser() -> "Parser":
    """One per thread: a parser keeps its state between calls."""
    found: Parser | None = getattr(_PARSERS, "parser", None)
    if found is None:
        # 34-38 ms of start-up, needed with the first command only
        import tree_sitter
        import tree_sitter_bash

        found = tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))
        _PARSERS.parser = found
    return found


def without_continuations(raw: bytes, tree: "Tree") -> bytes:
    """`raw` without the backslash-newlines that the tree skips as blanks: to bash they join `r\\⏎m` to one word."""
    pieces: list[bytes] = []
    done = 0
    for leaf in _leaves(tree):
        start = leaf.start_byte
        if start > done:
            pieces.append(raw[done:start].replace(b"\\\n", b""))
        end = max(leaf.end_byte, done)
        pieces.append(raw[max(start, done) : end])
        done = end
    pieces.append(raw[done:].replace(b"\\\n", b""))
    return b"".join(pieces)


def check_tree(raw: bytes, tree: "Tree") -> None:
    """Raises Unparsable for a syntax error, and for the places where the tree is known to miss a command."""
    if tree.root_node.has_error:
        raise Unparsable("syntax")
    done = 0
    for node in _nodes(tree):
        if node.child_count == 0:
            _check_gap(raw[done : node.start_byte], node)
            done = max(done, node.end_byte)
            _check_leaf(node)
        elif node.type == "expansion":
            _check_expansion(node)
    if raw[done:].strip(_HARMLESS_GAP):
        raise Unparsable("gap")


def _check_gap(gap: bytes, following: "Node") -> None:
    """Only blanks may be left out of the tree; the first piece of a here-document and of a string may be too."""
    rest = gap.strip(_HARMLESS_GAP)
    if not rest or (rest == b"-" and following.type.startswith("<<")):  # `python3 - <<EOF`: the tree drops the dash
        return
    parent = following.parent
    if parent is not None and parent.parent is not None and parent.type in _SUBSTITUTING:
        parent = parent.parent
    if parent is None or parent.type not in {"heredoc_body", "string"}:
        raise Unparsable("gap")
    if _hides_substitution(_without_escapes(gap)):
        raise Unparsable("hidden substitution")


def _hides_substitution(text: bytes) -> bool:
    return b"`" in text or b"$(" in text


def _check_leaf(leaf: "Node") -> None:
    text = leaf.text or b""
    if leaf.type == "heredoc_start" and not text.isascii():  # the scanner compares a byte of each sign: 中 ends at `-`
        raise Unparsable("delimiter")
    if not leaf.is_named or leaf.type in _LITERAL_LEAVES or not _hides_substitution(text):
        return
    if leaf.type in _HEREDOC_LEAVES and _has_quoted_delimiter(leaf):
        return
    if leaf.type in _ESCAPING_LEAVES and not _is_inside_backticks(leaf):
        text = _without_escapes(text)
    if _hides_substitution(text):
        raise Unparsable("hidden substitution")


def _check_expansion(node: "Node") -> None:
    """`"${x:-'$(id)'}"` runs `id`, and no leaf shows it."""
    text = node.text or b""
    if (b"'" in text or b'"' in text) and any(parent.type in {"string", "heredoc_body"} for parent in _parents(node)):
        raise Unparsable("quotes in an expansion")


def _has_quoted_delimiter(leaf: "Node") -> bool:
    redirect = next((parent for parent in _parents(leaf) if parent.type == "heredoc_redirect"), None)
    return redirect is not None and is_quoted_heredoc(redirect)


def is_quoted_heredoc(redirect: "Node") -> bool:
    """Whether nothing in the here-document is expanded."""
    start = next((child.text or b"" for child in redirect.children if child.type == "heredoc_start"), b"")
    return any(mark in start for mark in (b"'", b'"', b"\\"))


def _is_inside_backticks(leaf: "Node") -> bool:
    return any(
        parent.type == "command_substitution" and (parent.text or b"").startswith(b"`") for parent in _parents(leaf)
    )


def _without_escapes(text: bytes) -> bytes:
    """`text` without each backslash and what it escapes."""
    pieces = text.replace(b"\\\\", b"").split(b"\\")
    return pieces[0] + b"".join(piece[1:] for piece in pieces[1:])


def _parents(node: "Node") -> Iterator["Node"]:
    parent = node.parent
    while parent is not None:
        yield parent
        parent = parent.parent


def _leaves(tree: "Tree") -> Iterator["Node"]:
    return (node for node in _nodes(tree) if node.child_count == 0)


def _nodes(tree: "Tree") -> Iterator["Node"]:
    """All nodes in the order of the text, without recursion."""
    cursor = tree.walk()
    while True:
        node = cursor.node
        if node is not None:
            yield node
        if cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
