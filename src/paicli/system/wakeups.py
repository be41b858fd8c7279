"""File descriptors that become readable when something happens elsewhere: a cancel, the end of a process."""

import os
import subprocess
import threading


class Waker:
    """Readable after `wake`, which any thread may call at any time, even after `close`."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._read_fd, self._write_fd = os.pipe()
        self._is_closed = False
        self._is_awake = False

    def fileno(self) -> int:
        return self._read_fd

    def wake(self) -> None:
        with self._lock:
            if not self._is_closed and not self._is_awake:
                self._is_awake = True
                os.write(self._write_fd, b"!")

    def reset(self) -> None:
        """Takes the wake-up, so that the next one is seen."""
        with self._lock:
            if self._is_awake:
                self._is_awake = False
                os.read(self._read_fd, 1)

    def close(self) -> None:
        with self._lock:
            if not self._is_closed:
                self._is_closed = True
                os.close(self._read_fd)
                os.close(self._write_fd)


class ExitWatch:
    """Readable once the process has ended. With a pidfd it is not reaped before someone asks for its status."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        self._process = process
        self._pidfd = open_pidfd(process.pid)
        self._waker = Waker() if self._pidfd is None else None
        if self._waker is not None:
            threading.Thread(target=self._wait, args=(self._waker,), name="command-exit", daemon=True).start()

    def fileno(self) -> int:
        if self._waker is not None:
            return self._waker.fileno()
        assert self._pidfd is not None
        return self._pidfd

    def close(self) -> None:
        if self._waker is not None:
            self._waker.close()
        elif self._pidfd is not None:
            os.close(self._pidfd)
            self._pidfd = None

    def _wait(self, waker: Waker) -> None:
        self._process.wait()
        waker.wake()


def open_pidfd(pid: int) -> int | None:
    """A descriptor that is readable when the process ends; None where the system has none or the process is gone."""
    if not hasattr(os, "pidfd_open"):
        return None
    try:
        return os.pidfd_open(pid)
    except OSError:
        return None
