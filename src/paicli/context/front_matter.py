"""Reads the front matter of a skill or a command of one's own: the subset of YAML that such files use, into texts.

Mappings of plain, quoted and block texts are read; what is nested or listed is passed over: nobody here needs it.
"""

import re
from collections.abc import Sequence

_KEY = re.compile(r"(?P<key>[A-Za-z0-9_-]+)[ \t]*:(?:[ \t]+(?P<value>.*))?")
_BLOCK = re.compile(r"(?P<style>[|>])(?:[+-]?[1-9]?|[1-9][+-])[ \t]*(?:#.*)?")
_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "0": "\0", "r": "\r", "e": "\x1b", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


class FrontMatterBroken(ValueError):
    """There is none, or it does not end."""


def split_front_matter(text: str) -> tuple[dict[str, str], str]:
    """The fields, and what stands below them. Raises FrontMatterBroken."""
    lines = text.replace("\r\n", "\n").split("\n")
    if not lines or lines[0].rstrip() != "---":
        raise FrontMatterBroken
    end = next((number for number, line in enumerate(lines[1:], 1) if line.rstrip() in {"---", "..."}), None)
    if end is None:
        raise FrontMatterBroken
    return _fields(lines[1:end]), "\n".join(lines[end + 1 :]).strip()


def _fields(lines: Sequence[str]) -> dict[str, str]:
    fields: dict[str, str] = {}
    number = 0
    while number < len(lines):
        found = _KEY.fullmatch(lines[number].rstrip())
        number += 1
        if found is None:
            continue
        below = number
        while below < len(lines) and (not lines[below].strip() or lines[below][0] in " \t"):
            below += 1
        fields.setdefault(found["key"], _value(found["value"] or "", lines[number:below]))
        number = below
    return fields


def _value(first: str, below: Sequence[str]) -> str:
    first = first.strip()
    block = _BLOCK.fullmatch(first)
    if block:
        return _block(below, is_folded=block["style"] == ">")
    text = " ".join((first, *(line.strip() for line in below))).strip()
    if first[:1] in {'"', "'"}:
        return _quoted(text)
    if first[:1] in {"[", "{"} or (not first and text.startswith("- ")):
        return ""
    return re.split(r"(?:^|[ \t])#", text, maxsplit=1)[0].strip()


def _block(lines: Sequence[str], *, is_folded: bool) -> str:
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    bare = [line[indent:].rstrip() for line in lines]
    text = "\n".join(bare).strip("\n")
    return re.sub(r"(?<!\n)\n(?!\n)", " ", text) if is_folded else text


def _quoted(text: str) -> str:
    mark = text[0]
    if mark == "'":
        found = re.match(r"'((?:[^']|'')*)'", text)
        return found[1].replace("''", "'") if found else text[1:]
    found = re.match(r'"((?:[^"\\]|\\.)*)"', text, re.DOTALL)
    return _ESCAPE.sub(_unescaped, found[1]) if found else text[1:]


def _unescaped(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code:
        number = int(code, 16)
        return chr(number) if number <= 0x10FFFF else "\ufffd"
    return _ESCAPED.get(match[4], match[4])
