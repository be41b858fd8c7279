"""The profile and argument vector of sandbox-exec (macOS) for a confinement."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from paicli.system.sandbox.confinement import Confinement

_DEVICES = ("/dev/null", "/dev/zero", "/dev/dtracehelper", "/dev/stdout", "/dev/stderr")


def seatbelt_arguments(program: str, confinement: Confinement, command: Sequence[str]) -> list[str]:
    """sandbox-exec starts `command` in its own place: no process stands between."""
    return [program, "-p", seatbelt_profile(confinement), *command]


def seatbelt_profile(confinement: Confinement) -> str:
    """The last rule that matches holds, so what is nearer comes later."""
    rules = sorted(_rules(confinement), key=lambda rule: (rule[0], rule[1]))
    head = ["(version 1)", "(allow default)", "(deny file-write*)"]
    devices = "".join(f" (literal {_quoted(device)})" for device in _DEVICES)
    network = [] if confinement.has_network else ["(deny network*)"]
    # A process outside would do whatever it is told: no signals to it, no looking into it.
    others = ["(deny signal)", "(allow signal (target same-sandbox))", "(deny process-info* (target others))"]
    return "\n".join((*head, f"(allow file-write*{devices})", *(text for _, _, text in rules), *network, *others, ""))


def _rules(confinement: Confinement) -> Iterator[tuple[int, int, str]]:
    def rule(path: Path, rank: int, text: str) -> tuple[int, int, str]:
        return len(path.parts), rank, f"({text} (subpath {_quoted(str(path))}))"

    for path in (confinement.temp, *confinement.writable):
        yield rule(path, 0, "allow file-write*")
    for path in confinement.frozen:
        yield rule(path, 1, "deny file-write*")
    for path in (*confinement.hidden_folders, *confinement.hidden_files):
        yield rule(path, 2, "deny file-read* file-write*")
    for path in confinement.shown:
        yield rule(path, 3, "allow file-read*")


def _quoted(path: str) -> str:
    escaped = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
