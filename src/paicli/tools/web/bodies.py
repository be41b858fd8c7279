"""A response's body read within limits: inflated as it comes, and never further than the cap."""

import zlib
from collections.abc import Iterable, Iterator

from paicli.core.errors import ToolFailed
from paicli.core.messages import ErrorKind

ACCEPTED_ENCODINGS = "gzip, deflate"
"""Brotli and zstd are not asked for: each would be a library of its own."""
_MAX_LAYERS = 2
_STEP_BYTES = 1 << 16
_MARK_BYTES = 2
"""How many bytes tell a zlib header."""


class BodyDamaged(Exception):
    """What came is not compressed the way the answer says; what was inflated before stands."""


def inflated(chunks: Iterable[bytes], encodings: str, *, host: str) -> Iterator[bytes]:
    """The body as it was before it was compressed, in pieces of at most 64 KiB where it was compressed.

    Raises ToolFailed for an encoding that was not asked for, BodyDamaged in mid-stream.
    """
    layers = [name for name in (part.strip().lower() for part in encodings.split(",")) if name not in {"", "identity"}]
    if len(layers) > _MAX_LAYERS or not set(layers) <= {"gzip", "x-gzip", "deflate"}:
        raise ToolFailed("web.encoding_unknown", kind=ErrorKind.INVALID_ARGUMENT, host=host, encoding=encodings[:80])
    stream: Iterator[bytes] = iter(chunks)
    for name in reversed(layers):
        stream = _one_layer(stream, name)
    return stream


def _one_layer(chunks: Iterator[bytes], name: str) -> Iterator[bytes]:
    decoder = None
    pending = b""
    for chunk in chunks:
        pending += chunk
        while pending:
            if decoder is None:
                if len(pending) < _MARK_BYTES:
                    break
                decoder = zlib.decompressobj(_window_of(pending, name))
            try:
                piece = decoder.decompress(pending, _STEP_BYTES)
            except zlib.error as error:
                raise BodyDamaged(str(error)) from error
            if piece:
                yield piece
            pending = decoder.unconsumed_tail
            if decoder.eof:
                pending = decoder.unused_data.lstrip(b"\0")  # another gzip member, or padding
                decoder = None
    if decoder is not None:
        yield decoder.flush()  # at most a few kilobytes: input that was left unconsumed was pending above
        raise BodyDamaged("ends early")


def _window_of(start: bytes, name: str) -> int:
    if name != "deflate":
        return 16 + zlib.MAX_WBITS
    # It is meant to have a zlib header, and many servers leave it out.
    is_zlib = start[0] & 0x0F == 8 and (start[0] << 8 | start[1]) % 31 == 0
    return zlib.MAX_WBITS if is_zlib else -zlib.MAX_WBITS
