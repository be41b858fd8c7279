"""How often a session may fetch: so many times in any sixty seconds."""

import collections
import math
import threading
import time
from collections.abc import Callable

from paicli.core.errors import ToolFailed
from paicli.core.messages import ErrorKind

_WINDOW_S = 60.0


class FetchRate:
    """Shared by all actors of a session."""

    def __init__(self, limit: int = 30, clock: Callable[[], float] = time.monotonic) -> None:
        self._limit = limit
        self._clock = clock
        self._lock = threading.Lock()
        self._times: collections.deque[float] = collections.deque()

    def count(self) -> None:
        """Counts one fetch. Raises ToolFailed, and counts nothing, when the minute is full."""
        with self._lock:
            now = self._clock()
            while self._times and now - self._times[0] >= _WINDOW_S:
                self._times.popleft()
            if len(self._times) >= self._limit:
                wait_s = math.ceil(_WINDOW_S - (now - self._times[0]))
                raise ToolFailed("web.rate_limited", kind=ErrorKind.RATE_LIMIT, limit=self._limit, seconds=wait_s)
            self._times.append(now)
