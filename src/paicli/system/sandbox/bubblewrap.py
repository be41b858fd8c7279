"""The argument vector of bubblewrap (bwrap, Linux) for a confinement."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from paicli.system.sandbox.confinement import Confinement

_RUN = Path("/run")
"""Sockets of services that do anything for whoever asks (docker, systemd, D-Bus): hidden in both modes."""
_RUN_SYSTEM = (Path("/run/current-system"), Path("/run/wrappers"))
"""Where NixOS keeps its programs."""
_RUN_NAMES = (Path("/run/systemd/resolve"), Path("/run/resolvconf"), Path("/run/NetworkManager"), Path("/run/nscd"))
"""What looking up a host's name takes."""


class _Mount(NamedTuple):
    path: Path
    rank: int
    """Of two for the same path the higher one comes last, and holds."""
    arguments: tuple[str, ...]


def bubblewrap_arguments(program: str, confinement: Confinement, command: Sequence[str], *, cwd: Path) -> list[str]:
    """`command` in a file system of its own making, without a capability, with process ids of its own.

    bwrap is not told to die with its parent: a TERM to the group ends its outer half first, and the command would be
    killed before it can tidy up. What outlives the outer half becomes a child of ours and is ended like any other.
    """
    mounts = sorted(_mounts(confinement, cwd), key=lambda mount: (len(mount.path.parts), mount.rank))
    empty = sorted({_RUN, *confinement.hidden_folders}, key=lambda path: len(path.parts))
    return [
        program,
        "--unshare-pid",
        "--unshare-ipc",
        *(() if confinement.has_network else ("--unshare-net",)),
        "--cap-drop",
        "ALL",
        *(argument for mount in mounts for argument in mount.arguments),
        *(argument for path in empty for argument in ("--remount-ro", str(path))),
        "--chdir",
        str(cwd),
        "--",
        *command,
    ]


def _mounts(confinement: Confinement, cwd: Path) -> Iterator[_Mount]:
    yield _Mount(Path("/"), 0, ("--ro-bind", "/", "/"))
    yield _Mount(Path("/dev"), 1, ("--dev", "/dev"))
    yield _Mount(Path("/proc"), 1, ("--proc", "/proc"))
    yield _Mount(_RUN, 1, ("--tmpfs", str(_RUN)))
    for path in (*_RUN_SYSTEM, *(_RUN_NAMES if confinement.has_network else ())):
        yield _Mount(path, 2, ("--ro-bind-try", str(path), str(path)))
    for path in confinement.temp_places:
        yield _Mount(path, 1, ("--bind", str(confinement.temp), str(path)))
    for path in confinement.writable:
        yield _Mount(path, 3, ("--bind-try", str(path), str(path)))
    for path in confinement.frozen:
        yield _Mount(path, 4, ("--ro-bind-try", str(path), str(path)))
    for path in confinement.hidden_folders:
        yield _Mount(path, 5, ("--tmpfs", str(path)))
    for path in confinement.hidden_files:
        yield _Mount(path, 5, ("--ro-bind-try", "/dev/null", str(path)))
    gone = (_RUN, *confinement.temp_places, *confinement.hidden_folders)
    for path in confinement.shown:
        if _lies_in(path, gone):
            yield _Mount(path, 2, ("--ro-bind-try", str(path), str(path)))
    if _lies_in(cwd, gone) and not _lies_in(cwd, confinement.writable):
        yield _Mount(cwd, 2, ("--ro-bind-try", str(cwd), str(cwd)))


def _lies_in(path: Path, folders: Sequence[Path]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)
