"""Who belongs to a command: its session, its marker, their children, and orphans that came to us.

Linux reads /proc. Elsewhere there is only the process group: `read_processes` is empty there, and what left the group
is out of reach.
"""

import os
import selectors
import signal
import time
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from functools import cache
from typing import NamedTuple

from paicli.core.unicode import clipped, decoded
from paicli.system.wakeups import open_pidfd

MARKER_NAME = "PAICLI_RUN"
_PR_SET_CHILD_SUBREAPER = 36
_ENVIRON_LIMIT_BYTES = 1_048_576
_COMMAND_LINE_CHARS = 120
_DEAD_STATES = frozenset("ZXx")
_SCAN_INTERVAL_S = 0.005
_KILL_INTERVAL_S = 0.02
"""A process that forks while it is killed is met again after this time."""


class ProcessEntry(NamedTuple):
    pid: int
    parent: int
    group: int
    session: int
    started: int
    """Clock ticks since boot; with the pid it names a process for good."""
    is_dead: bool = False
    """A zombie: it still has a number, and nothing runs."""

    @property
    def identity(self) -> tuple[int, int]:
        return self.pid, self.started


class Claim(NamedTuple):
    """By what signs a process belongs to a command."""

    leaders: frozenset[int] = frozenset()
    """Pids of shells that lead a session and group of their own."""
    marker: bytes = b""
    """What stands in the environment of its processes."""
    since: int = 0
    """Start of the command in clock ticks since boot: nothing older belongs to it."""
    known: frozenset[tuple[int, int]] = frozenset()
    """Identities that belong to it already."""
    strangers: frozenset[tuple[int, int]] = frozenset()
    """Identities that are another's, whatever else says so (starts are counted in 10 ms)."""
    takes_orphans: bool = False
    """Orphans without a marker are its own: no other command runs that could have left them."""
    takes_leading_orphans: bool = False
    """Also children of ours that lead a session: right only at the end, they might be someone else's servers."""


def read_processes() -> dict[int, ProcessEntry]:
    """All visible processes by pid; empty where there is no /proc as Linux has it."""
    try:
        names = os.listdir("/proc")
    except OSError:
        return {}
    entries = (_read_entry(name) for name in names if name.isdigit())
    return {entry.pid: entry for entry in entries if entry is not None}


def read_process(pid: int) -> ProcessEntry | None:
    return _read_entry(str(pid))


def members(
    table: dict[int, ProcessEntry],
    claim: Claim,
    *,
    has_marker: Callable[[int, bytes], bool] | None = None,
) -> list[ProcessEntry]:
    """The processes of `table` that `claim` covers, dead ones included, oldest first; never this process."""
    own_pid = os.getpid()
    has_marker = has_marker or environment_has
    found = {entry.pid for entry in table.values() if _is_claimed(entry, claim, has_marker=has_marker)}
    if claim.takes_orphans:
        found |= {entry.pid for entry in _orphans(table, claim, own_pid)}
    found -= {entry.pid for entry in table.values() if entry.identity in claim.strangers}
    found.discard(own_pid)
    children: dict[int, list[int]] = {}
    for entry in table.values():
        children.setdefault(entry.parent, []).append(entry.pid)
    waiting = list(found)
    while waiting:
        new = [pid for pid in children.get(waiting.pop(), ()) if pid not in found and pid != own_pid]
        found.update(new)
        waiting += new
    return sorted((table[pid] for pid in found), key=lambda entry: (entry.started, entry.pid))


def environment_has(pid: int, marker: bytes) -> bool:
    """Whether the process was started with `marker` in its environment; False when it can't be read."""
    return marker in _read_bytes(f"/proc/{pid}/environ", _ENVIRON_LIMIT_BYTES)


def command_line(pid: int) -> str:
    """What it was started as, at most 120 characters; empty when it is gone."""
    raw = _read_bytes(f"/proc/{pid}/cmdline", 4_096)
    return clipped(" ".join(decoded(raw).replace("\0", " ").split()), _COMMAND_LINE_CHARS)


def send(number: signal.Signals, entries: Iterable[ProcessEntry], *, groups: Collection[int] = ()) -> None:
    """Signals whole `groups`, then every entry that is in none of them. What is gone or not ours is passed over."""
    for group in groups:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, number)
    for entry in entries:
        if entry.group in groups:
            continue
        now = read_process(entry.pid)
        if now is not None and now.started == entry.started:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(entry.pid, number)


def stop(
    find: Callable[[], list[ProcessEntry]],
    signal_all: Callable[[signal.Signals, list[ProcessEntry]], None],
    await_exit: Callable[[list[ProcessEntry], float], None],
    *,
    term_until: Callable[[], float],
    patience_s: Callable[[], float],
) -> list[ProcessEntry]:
    """TERM, then KILL until nothing is found. Returns what outlived even that.

    `await_exit(entries, until)` waits until one of them ends or the monotonic time has come. `term_until` is asked
    anew each time, so the grace may be shortened while it runs; `patience_s` is how long KILL is repeated.
    """
    living = find()
    signal_all(signal.SIGTERM, living)
    while living and time.monotonic() < term_until():
        await_exit(living, term_until())
        living = find()
    give_up = time.monotonic() + patience_s()
    while living:
        signal_all(signal.SIGKILL, living)
        await_exit(living, min(give_up, time.monotonic() + _KILL_INTERVAL_S))
        living = find()
        if time.monotonic() >= give_up:
            break
    return living


def await_any_exit(entries: list[ProcessEntry], until: float) -> None:
    """Waits until one of them ends, or the monotonic time `until` has come."""
    descriptors = [fd for fd in (open_pidfd(entry.pid) for entry in entries) if fd is not None]
    if len(descriptors) < len(entries):
        # Either one is gone already, or the system has no pidfds and the next scan is all there is.
        until = min(until, time.monotonic() + _SCAN_INTERVAL_S)
    try:
        with selectors.DefaultSelector() as selector:
            for descriptor in descriptors:
                selector.register(descriptor, selectors.EVENT_READ)
            selector.select(max(0.0, until - time.monotonic()))
    finally:
        for descriptor in descriptors:
            os.close(descriptor)


def reap(entries: Iterable[ProcessEntry]) -> None:
    """Takes the status of dead ones among them that are children of ours, each by its number (never -1: it steals)."""
    for entry in entries:
        if entry.is_dead and entry.parent == os.getpid():
            with suppress(ChildProcessError):
                os.waitpid(entry.pid, os.WNOHANG)


@cache
def adopt_orphans() -> bool:
    """Makes orphaned descendants children of this process (Linux), so that none gets out of sight. Once for all."""
    try:
        import ctypes  # 2-3 ms, spent with the first command only

        return ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0
    except (ImportError, OSError, AttributeError):
        return False


def has_children() -> bool:
    """False only when this process certainly has no child left, dead ones included."""
    if not hasattr(os, "waitid"):
        return True
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True


def _is_claimed(entry: ProcessEntry, claim: Claim, *, has_marker: Callable[[int, bytes], bool]) -> bool:
    if entry.session in claim.leaders or entry.group in claim.leaders or entry.identity in claim.known:
        return True
    is_young = entry.started >= claim.since and not entry.is_dead
    return bool(claim.marker) and is_young and has_marker(entry.pid, claim.marker)


def _orphans(table: dict[int, ProcessEntry], claim: Claim, own_pid: int) -> list[ProcessEntry]:
    """Children of ours that we did not start.

    A child we start shares our session or leads its own. One in a third session was adopted: its parent died. It is
    left alone when the leader of that session lives and is no command (a server's helper).
    """
    own_session = table[own_pid].session if own_pid in table else 0
    found: list[ProcessEntry] = []
    for entry in table.values():
        if entry.parent != own_pid or entry.session == own_session or entry.started < claim.since:
            continue
        leader = table.get(entry.session)
        is_leader = entry.session == entry.pid
        if (is_leader and claim.takes_leading_orphans) or (not is_leader and (leader is None or leader.is_dead)):
            found.append(entry)
    return found


def _read_entry(name: str) -> ProcessEntry | None:
    raw = _read_bytes(f"/proc/{name}/stat", 4_096)
    # The name of the program stands in parentheses and may hold any character, parentheses too.
    fields = raw[raw.rfind(b")") + 2 :].split()
    if len(fields) < 20:
        return None
    state, parent, group, session = fields[0].decode("ascii", "replace"), *map(int, fields[1:4])
    return ProcessEntry(int(name), parent, group, session, int(fields[19]), state in _DEAD_STATES)


def _read_bytes(path: str, limit: int) -> bytes:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return b""
    try:
        return os.read(descriptor, limit)
    except OSError:
        return b""
    finally:
        os.close(descriptor)
