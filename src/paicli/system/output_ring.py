"""Keeps the beginning and the end of an output of any length, and counts exactly what fell out between them."""

import codecs
import threading
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

HEAD_CHARS = 1_000_000
TAIL_CHARS = 1_000_000

_CHUNK_BYTES = 65_536
"""Small writes are gathered to chunks of this size, so that a byte costs a byte."""
_CONTINUATION = bytes(range(0x80, 0xC0))
_LINE_SEARCH_BYTES = 4_096
"""A cut moves to the end of a line when there is one this near: no half escape sequence, no half secret."""


class KeptOutput(NamedTuple):
    """Raw output. Where nothing was dropped, `head` is all of it and `tail` is empty."""

    head: bytes
    tail: bytes = b""
    dropped_bytes: int = 0
    """Bytes between head and tail that were not kept."""


class OutputRing:
    """First `head_chars` and last `tail_chars` characters (UTF-8) of what is appended. Thread-safe."""

    def __init__(self, *, head_chars: int = HEAD_CHARS, tail_chars: int = TAIL_CHARS) -> None:
        self._lock = threading.Lock()
        self._head_chars = head_chars
        self._tail_chars = tail_chars
        self._is_finished = False
        self._watchers: tuple[Callable[[], object], ...] = ()
        self._start_anew()

    def append(self, raw: bytes) -> None:
        with self._lock:
            if len(raw) >= _CHUNK_BYTES // 2:
                self._push_gathered()
                self._push(raw)
            else:
                self._gathered += raw
                if len(self._gathered) >= _CHUNK_BYTES:
                    self._push_gathered()
            watchers = self._watchers
        for watcher in watchers:
            watcher()

    def watch(self, watcher: Callable[[], object]) -> Callable[[], None]:
        """Calls it with each `append`, and at once when there is something to `take`. Returns what ends that."""
        with self._lock:
            self._watchers = (*self._watchers, watcher)
            has_something = bool(self._gathered or self._head)
        if has_something:
            watcher()
        return lambda: self._unwatch(watcher)

    def finish(self) -> None:
        """Nothing will follow: the next `take` gives an incomplete last character too."""
        with self._lock:
            self._is_finished = True

    def take(self) -> KeptOutput:
        """What came since the last `take`; the ring starts anew behind it."""
        with self._lock:
            unfinished = b"" if self._is_finished else _cut_character(bytes(self._gathered[-4:]))
            if unfinished:
                del self._gathered[-len(unfinished) :]
            self._push_gathered()
            head, dropped = self._head, self._dropped_bytes
            chunks = [chunk for chunk, _ in self._tail]
            self._start_anew()
            self._gathered += unfinished
        # Megabytes: each is cut where it stands, and copied once.
        if not dropped:
            return KeptOutput(b"".join((head, *chunks)))
        head_end, tail_start = _end_of_head(head), _start_of_tail(chunks[0])
        dropped += len(head) - head_end + tail_start
        del head[head_end:]
        chunks[0] = chunks[0][tail_start:]
        return KeptOutput(bytes(head), b"".join(chunks), dropped)

    def last(self, size_bytes: int) -> bytes:
        """The last bytes of what came since the last `take`, fewer when there are not so many."""
        with self._lock:
            found = bytes(self._gathered[-size_bytes:])
            for chunk, _ in reversed(self._tail):
                if len(found) >= size_bytes:
                    break
                found = chunk[-(size_bytes - len(found)) :] + found
            if len(found) < size_bytes and not self._dropped_bytes:
                found = bytes(self._head[-(size_bytes - len(found)) :]) + found
            return found

    def _unwatch(self, watcher: Callable[[], object]) -> None:
        with self._lock:
            self._watchers = tuple(each for each in self._watchers if each is not watcher)

    def _start_anew(self) -> None:
        self._head = bytearray()
        self._head_room = self._head_chars
        self._tail: deque[tuple[bytes, int]] = deque()
        self._tail_weight = 0
        self._gathered = bytearray()
        self._dropped_bytes = 0

    def _push_gathered(self) -> None:
        if self._gathered:
            chunk = bytes(self._gathered)
            self._gathered.clear()
            self._push(chunk)

    def _push(self, chunk: bytes) -> None:
        weight = _weight(chunk)
        if self._head_room:
            if weight <= self._head_room:
                self._head += chunk
                self._head_room -= weight
                return
            self._head += chunk[: self._head_room]
            chunk = chunk[self._head_room :]
            weight = _weight(chunk)
            self._head_room = 0
        if weight > self._tail_chars:
            self._drop_tail()
            # A byte is at most one character, so these bytes never pass the limit.
            self._dropped_bytes += len(chunk) - self._tail_chars
            chunk = chunk[-self._tail_chars :]
            weight = _weight(chunk)
        self._tail.append((chunk, weight))
        self._tail_weight += weight
        while self._tail_weight > self._tail_chars:
            dropped, dropped_weight = self._tail.popleft()
            self._dropped_bytes += len(dropped)
            self._tail_weight -= dropped_weight

    def _drop_tail(self) -> None:
        self._dropped_bytes += sum(len(chunk) for chunk, _ in self._tail)
        self._tail.clear()
        self._tail_weight = 0


def _weight(chunk: bytes) -> int:
    """Characters of UTF-8 text; what is no text counts a quarter of a byte at least, so memory stays bounded."""
    if chunk.isascii():
        return len(chunk)
    return max(len(chunk.translate(None, _CONTINUATION)), (len(chunk) + 3) // 4)


def _cut_character(end: bytes) -> bytes:
    """The incomplete character at the end of `end`, if there is one."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    decoder.decode(end)
    return decoder.getstate()[0]


def _end_of_head(head: bytearray) -> int:
    line_end = head.rfind(b"\n", max(0, len(head) - _LINE_SEARCH_BYTES))
    return line_end + 1 if line_end >= 0 else len(head) - len(_cut_character(bytes(head[-4:])))


def _start_of_tail(tail: bytes) -> int:
    line_end = tail.find(b"\n", 0, _LINE_SEARCH_BYTES)
    if 0 <= line_end < len(tail) - 1:
        return line_end + 1
    start = 0
    while start < min(3, len(tail)) and 0x80 <= tail[start] < 0xC0:
        start += 1
    return start
