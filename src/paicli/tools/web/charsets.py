"""From the bytes of an answer to its text: byte order mark, header, the page's own word, else detection."""

import codecs
import re

from paicli.tools.files.encoding import detect_encoding

_META = re.compile(rb"<meta[^>]{0,512}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]{2,40})", re.IGNORECASE)
_XML = re.compile(rb"^\s*<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9_:.-]{2,40})", re.IGNORECASE)
_PARAMETER = re.compile(r"charset\s*=\s*[\"']?\s*([^\s\"';,]{2,40})", re.IGNORECASE)
_HEAD_BYTES = 4_096
_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_WIDER = {
    # The web means the larger set by each of these names (WHATWG Encoding).
    **dict.fromkeys(("gb2312", "gbk"), "gb18030"),
    **dict.fromkeys(("iso8859-1", "ascii"), "cp1252"),
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
    "tis-620": "cp874",
}
_ALIASES = {"x-sjis": "shift_jis", "x-gbk": "gbk", "windows-31j": "cp932", "x-euc-jp": "euc_jp"}
_NO_CHARSETS = frozenset({"utf-7", "unicode-escape", "raw-unicode-escape", "idna", "punycode", "undefined"})
"""Codecs of Python that are no character set of a page."""


def charset_of_header(content_type: str) -> str:
    """The codec that a `Content-Type` names; empty where it names none that is known."""
    found = _PARAMETER.search(content_type)
    return _codec(found[1]) if found else ""


def decode_body(raw: bytes, content_type: str, *, is_whole: bool = True) -> str | None:
    """The text, bad bytes as U+FFFD; None where nothing says that this is text and it does not look like any."""
    for mark, codec in _MARKS:
        if raw.startswith(mark):
            return _decoded(raw[len(mark) :], codec)
    named = charset_of_header(content_type) or _charset_of_page(raw[:_HEAD_BYTES])
    if named:
        return _decoded(raw, named)
    detected = detect_encoding(raw, is_whole=is_whole)
    return None if detected is None else _decoded(raw[len(detected.bom) :], detected.codec)


def _charset_of_page(head: bytes) -> str:
    found = _XML.search(head) or _META.search(head)
    codec = _codec(found[1].decode("ascii")) if found else ""
    # A page whose ASCII could be read to find this is no UTF-16, whatever it says.
    return "utf-8" if codec.startswith("utf-16") else codec


def _codec(name: str) -> str:
    try:
        wanted = name.strip().lower()
        codec = codecs.lookup(_ALIASES.get(wanted, wanted)).name
        "".encode(codec)  # a codec from bytes to bytes is refused here
    except (LookupError, UnicodeError, ValueError):
        return ""
    return "" if codec.replace("_", "-") in _NO_CHARSETS else _WIDER.get(codec, codec)


def _decoded(raw: bytes, codec: str) -> str:
    return raw.decode(codec, "replace")
