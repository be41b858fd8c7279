"""What no request can mean: one rule per kind of program, asked about one call at a time."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from paicli.policy.shell.calls import Call, written_files
from paicli.policy.shell.force_push import pushes_by_force
from paicli.policy.shell.places import Place
from paicli.policy.shell.words import UNKNOWN, Word
from paicli.policy.shell.wrappers import PRIVILEGED, inner_commands, name_of
from paicli.policy.verdict import VerdictKind


class Danger(NamedTuple):
    """What is wrong with a call. `code` is a key of the catalogue, with one field, `matched`."""

    kind: VerdictKind
    code: str


def _refused(what: str) -> Danger:
    return Danger(VerdictKind.REFUSED, f"policy.command_{what}")


def _asked(what: str) -> Danger:
    return Danger(VerdictKind.UNPARSED, f"policy.command_{what}")


UNKNOWN_PART = _asked("unknown_part")
FETCHED_CODE = _refused("fetched_code")
FORK_BOMB = _refused("fork_bomb")

_DISK_TOOLS = frozenset(
    {"mke2fs", "mkswap", "wipefs", "blkdiscard", "fdisk", "sfdisk", "cfdisk", "gdisk", "sgdisk", "parted", "badblocks"}
)
_POWER = frozenset({"shutdown", "reboot", "halt", "poweroff"})
_POWER_UNITS = _POWER | {"kexec", "emergency", "rescue", "suspend", "hibernate", "soft-reboot", "isolate"}
_DELETERS = frozenset({"rm", "grm", "shred", "srm", "unlink", "rmdir", "truncate", "mv", "rimraf"})
_PERMISSION_TOOLS = frozenset({"chmod", "chown", "chgrp", "setfacl", "chattr", "chflags"})


def danger_of(call: Call) -> Danger | None:
    """The first thing that is wrong with `call`, or None. Wrapped commands are calls of their own."""
    name = call.name
    if UNKNOWN in name:
        return UNKNOWN_PART
    if name in PRIVILEGED:
        return _refused("privilege")
    if name in _POWER:
        return _refused("shutdown")
    if name.startswith(("mkfs", "newfs")):
        return _refused("disk")
    rule = _RULES.get(name)
    return danger_of_writing(call, written_files(call)) or (rule(call) if rule is not None else None)


def danger_of_writing(call: Call, words: Sequence[Word]) -> Danger | None:
    """Whether one of the files must not be written."""
    ground = call.ground
    for word in words:
        target = call.target(word)
        if ground.is_disk(target.path):
            return _refused("disk")
        if not target.is_known:
            continue
        if ground.is_startup_file(target.path):
            return _refused("startup_file")
        if ground.is_history(target.path):
            return _refused("history_file")
        if ground.is_protected(target.path):
            return _refused("own_settings")
    return None


def _rm(call: Call) -> Danger | None:
    is_recursive = call.name == "rimraf" or call.has_option("rR", "recursive", "no-preserve-root")
    found: Danger | None = None
    for place in map(call.place, call.operands()):
        if place is Place.VITAL or (place is Place.ROOT and is_recursive):
            return _refused("delete")
        found = found or _doubt(place, is_recursive=is_recursive)
    return found


def _doubt(place: Place, *, is_recursive: bool) -> Danger | None:
    if not is_recursive or place not in {Place.UNKNOWN, Place.OUTSIDE}:
        return None
    return _asked("unknown_target" if place is Place.UNKNOWN else "outside")


def _mv(call: Call) -> Danger | None:
    sources = call.operands()[:-1]
    return _refused("delete") if Place.VITAL in map(call.place, sources) else None


def _rsync(call: Call) -> Danger | None:
    deletes = any(option.startswith(("--del", "--remove-source")) for option in call.options())
    return _refused("delete") if deletes and Place.VITAL in map(call.place, call.operands()[-1:]) else None


def _dd(call: Call) -> Danger | None:
    goals = [call.target(word._replace(text=word.text[3:])) for word in call.words if word.text.startswith("of=")]
    return _asked("unknown_target") if any(not goal.is_known for goal in goals) else None


def _disk_tool(call: Call) -> Danger | None:
    if call.has_option("lV", "list", "version", "help"):
        return None
    is_device = any(call.target(word).path.startswith("/dev/") for word in call.operands())
    return _refused("disk") if is_device else None


def _permissions(call: Call) -> Danger | None:
    if not call.has_option("R", "recursive"):
        return None
    found: Danger | None = None
    for place in map(call.place, call.operands()):
        if place is Place.VITAL:
            return _refused("permissions")
        found = found or (_asked("unknown_target") if place is Place.UNKNOWN else None)
    return found


_NARROWING = frozenset(
    {"-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename", "-regex", "-iregex", "-lname", "-empty",
     "-size", "-mtime", "-mmin", "-atime", "-amin", "-ctime", "-cmin", "-newer", "-inum", "-samefile", "-user",
     "-group"}
)  # fmt: skip
_FIND_VALUED_LEADS = frozenset({"-D"})


def _find(call: Call) -> Danger | None:
    """What find does to all it finds counts as done to the folders it starts from."""
    texts = [word.text for word in call.words]
    inner = {name_of(command.words) for command in inner_commands(call.words)}
    changes = inner & _PERMISSION_TOOLS
    deletes = "-delete" in texts or bool(inner & _DELETERS)
    if not deletes and not changes:
        return None
    is_narrow = any(
        text in _NARROWING and texts[place + 1 : place + 2] not in (["*"], ["*.*"]) for place, text in enumerate(texts)
    )
    found: Danger | None = None
    for folder in _searched(call.words):
        place = call.place(folder)
        if place is Place.VITAL and not (is_narrow and call.ground.is_temporary(call.target(folder).path)):
            return _refused("delete" if deletes else "permissions")
        if place is Place.ROOT and deletes and not is_narrow:
            return _refused("delete")
        found = found or _doubt(place, is_recursive=deletes)
    return found


def _searched(words: Sequence[Word]) -> list[Word]:
    """The folders find starts from."""
    at = 1
    while at < len(words) and (words[at].text in {"-H", "-L", "-P", "-D"} or words[at].text.startswith("-O")):
        at += 2 if words[at].text in _FIND_VALUED_LEADS else 1
    end = next((e for e in range(at, len(words)) if words[e].text[:1] in {"-", "(", "!", ")"}), len(words))
    return list(words[at:end]) or [Word(".")]


def _kill(call: Call) -> Danger | None:
    """`kill -9 -1` ends everything of the person; 1 is the first process."""
    words = [word.text for word in call.words[1:]]
    if words[:1] in (["-s"], ["-n"], ["--signal"]):
        words = words[2:]
    elif words and words[0].startswith("-") and words[0] != "--":
        words = words[1:]
    return _refused("kill_all") if any(text in {"-1", "1"} for text in words if text != "--") else None


def _crontab(call: Call) -> Danger | None:
    return _refused("crontab") if call.has_option("r") else None


def _init(call: Call) -> Danger | None:
    return _refused("shutdown") if any(word.text in {"0", "6"} for word in call.operands()) else None


def _systemctl(call: Call) -> Danger | None:
    return _refused("shutdown") if any(word.text in _POWER_UNITS for word in call.operands()[:1]) else None


def _git(call: Call) -> Danger | None:
    match pushes_by_force(call.words, call.branches):
        case "yes":
            return _refused("force_push")
        case "unknown":
            return _asked("unknown_target")
        case _:
            return None


def _perl(call: Call) -> Danger | None:
    code = " ".join(word.text for word in call.words[1:])
    return FORK_BOMB if "fork while" in code or "while fork" in code else None


def _diskutil(call: Call) -> Danger | None:
    verbs = [word.text.lower() for word in call.operands()[:1]]
    return (
        _refused("disk") if any(verb.startswith(("erase", "partition", "zero", "random")) for verb in verbs) else None
    )


def _killall5(call: Call) -> Danger | None:
    return _refused("kill_all")


_RULES: dict[str, Callable[[Call], Danger | None]] = {
    **dict.fromkeys(("rm", "grm", "srm", "shred", "gshred", "rimraf"), _rm),
    **dict.fromkeys(_DISK_TOOLS, _disk_tool),
    **dict.fromkeys(_PERMISSION_TOOLS, _permissions),
    "mv": _mv,
    "rsync": _rsync,
    "dd": _dd,
    "find": _find,
    "kill": _kill,
    "killall5": _killall5,
    "crontab": _crontab,
    "init": _init,
    "telinit": _init,
    "systemctl": _systemctl,
    "loginctl": _systemctl,
    "git": _git,
    "perl": _perl,
    "diskutil": _diskutil,
}
