"""From the bytes of a file to its text and back, without losing a byte.

Order: byte order mark, strict UTF-8 without NUL, strict GB18030, charset-normalizer, Latin-1. The guesser comes late
because it takes short GBK texts for Big5 or Korean.
"""

import codecs
import re
from typing import NamedTuple

SAMPLE_BYTES = 65_536

_MARKS = (  # UTF-32 before UTF-16: its mark begins with that of UTF-16
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)

_SIGNATURES = (
    (b"\x89PNG", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"GIF8", "GIF"),
    (b"%PDF-", "PDF"),
    (b"PK\x03\x04", "ZIP"),
    (b"\x1f\x8b", "gzip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ", "xz"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"7z\xbc\xaf", "7z"),
    (b"\x7fELF", "ELF"),
    (b"\xcf\xfa\xed\xfe", "Mach-O"),
    (b"\xca\xfe\xba\xbe", "Java class"),
    (b"MZ\x90\x00", "PE"),
    (b"\x00asm", "WebAssembly"),
    (b"SQLite format 3\x00", "SQLite"),
    (b"OggS", "Ogg"),
    (b"ID3", "MP3"),
)

_GUESSED_CODECS = [
    *("cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258", "koi8_r"),
    *("big5", "big5hkscs", "cp932", "shift_jis", "euc_jp", "euc_jis_2004", "cp949", "euc_kr", "tis_620"),
]
"""What files are written in. Among all codecs there are the guesser reads `café` as Urdu, `€` as Cyrillic."""

_CONTROLS = re.compile("[\x00-\x07\x0e-\x1a\x1c-\x1f\x7f]")
_MAX_CONTROL_SHARE = 0.01
_STATEFUL_CODECS = re.compile(r"iso2022|hz|utf_7")
"""Codecs in which a character's bytes depend on what stands before: a splice of bytes could not be trusted."""


class TextEncoding(NamedTuple):
    """How a file's bytes are to be read."""

    codec: str
    bom: bytes = b""

    @property
    def is_utf8(self) -> bool:
        return self.codec == "utf-8"

    def decode(self, raw: bytes) -> str:
        return raw[len(self.bom) :].decode(self.codec)

    def encode(self, text: str) -> bytes:
        """The file's bytes, mark included. Raises UnicodeEncodeError for a character the encoding does not have."""
        return self.bom + text.encode(self.codec)


UTF8 = TextEncoding("utf-8")


def detect_encoding(raw: bytes, *, is_whole: bool = True) -> TextEncoding | None:
    """How to read `raw` as text; None: it is binary. Not `is_whole`: its last character may be cut."""
    for bom, codec in _MARKS:
        marked = _decoded(raw[len(bom) :], codec, is_whole) if raw.startswith(bom) else None
        if marked is not None and "\0" not in marked:
            return TextEncoding(codec, bom)
    if raw.startswith(b"%PDF-"):  # the one signature whose file may be all ASCII
        return None
    if b"\0" in raw:
        return _utf16_without_mark(raw, is_whole)
    if _decoded(raw, "utf-8", is_whole) is not None:
        return UTF8
    if binary_kind(raw):
        return None
    for codec in ("gb18030", *_guessed(raw, is_whole), "latin-1"):
        text = _decoded(raw, codec, is_whole)
        if text is not None:
            return None if _looks_binary(text) else TextEncoding(codec)
    return None


def binary_kind(raw: bytes) -> str:
    """A name like "PNG" by the first bytes, empty when they say nothing."""
    if raw[:4] == b"RIFF" and raw[8:12] == b"WEBP":
        return "WebP"
    return next((kind for signature, kind in _SIGNATURES if raw.startswith(signature)), "")


def _decoded(raw: bytes, codec: str, is_whole: bool) -> str | None:
    try:
        return codecs.getincrementaldecoder(codec)("strict").decode(raw, is_whole)
    except UnicodeDecodeError:
        return None


def _utf16_without_mark(raw: bytes, is_whole: bool) -> TextEncoding | None:
    """Mostly ASCII text has a NUL in every second byte and nowhere else."""
    even, odd = raw[0::2].count(0), raw[1::2].count(0)
    codec = "utf-16-le" if even == 0 else "utf-16-be" if odd == 0 else ""
    if not codec or (even + odd) * 4 < len(raw) or (is_whole and len(raw) % 2):
        return None
    text = _decoded(raw, codec, is_whole)
    return None if text is None or _looks_binary(text) else TextEncoding(codec)


def _guessed(raw: bytes, is_whole: bool) -> list[str]:
    # charset-normalizer costs 41 ms to import, and nearly every file is UTF-8 or GB18030.
    from charset_normalizer import from_bytes

    best = from_bytes(raw[:SAMPLE_BYTES], cp_isolation=_GUESSED_CODECS).best()
    if best is None or _STATEFUL_CODECS.search(best.encoding):
        return []
    text = _decoded(raw, best.encoding, is_whole)
    # A guess is only of use when every byte comes back from it.
    is_faithful = text is not None and (not is_whole or _encoded(text, best.encoding) == raw)
    return [best.encoding] if is_faithful else []


def _encoded(text: str, codec: str) -> bytes | None:
    try:
        return text.encode(codec)
    except UnicodeEncodeError:
        return None


def _looks_binary(text: str) -> bool:
    return len(_CONTROLS.findall(text)) > len(text) * _MAX_CONTROL_SHARE
