"""What each actor knows of the files: content hashes at the time of reading, and one lock per real file."""

import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager

WRITABLE_BYTES = 5_000_000
"""What write_file and edit_file handle, and so up to where the hash of a whole file is noted and compared."""


def content_hash(raw: bytes) -> str:
    """The hash by which a change since the last read is noticed."""
    import hashlib  # start-up: 3 ms, first needed with the first file

    return hashlib.blake2b(raw, digest_size=16).hexdigest()


class ReadLedger:
    """Per actor: which content of which real path it has read or written last. Thread-safe."""

    def __init__(self, seen: Mapping[str, str] | None = None) -> None:
        """`seen`: real path → digest, what is known from the start, oldest first."""
        self._lock = threading.Lock()
        self._seen = dict(seen or {})

    def note(self, real_path: str, digest: str) -> None:
        with self._lock:
            self._seen.pop(real_path, None)  # the latest stands last
            self._seen[real_path] = digest

    def seen(self, real_path: str) -> str | None:
        """The digest this actor knows, None when it never read the file."""
        with self._lock:
            return self._seen.get(real_path)

    def paths(self) -> dict[str, str]:
        """A copy: real path → digest, in the order of the last read or write."""
        with self._lock:
            return dict(self._seen)


class FileLocks:
    """One lock per real path, and who wrote it last. A holder takes one lock at a time, so no order can block."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._locks: dict[str, threading.Lock] = {}
        self._writers: dict[str, str] = {}

    @contextmanager
    def holding(self, real_path: str) -> Generator[None]:
        with self._lock:
            lock = self._locks.setdefault(real_path, threading.Lock())
        with lock:
            yield

    def note_writer(self, real_path: str, actor: str) -> None:
        with self._lock:
            self._writers[real_path] = actor

    def last_writer(self, real_path: str) -> str | None:
        """The actor that wrote it last in this session, None when nobody did."""
        with self._lock:
            return self._writers.get(real_path)
