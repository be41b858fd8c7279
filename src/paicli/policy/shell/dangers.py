"""What no request can mean: one rule per kind of program, asked about one call at a time."""

from collections.abc import Callable, Sequence

from paicli.policy.shell.calls import Call, written_files
from paicli.policy.shell.carried import option_values
from paicli.policy.shell.force_push import pushes_by_force, subcommand_at
from paicli.policy.shell.machine import machine_danger_of
from paicli.policy.shell.places import Place
from paicli.policy.shell.programs import name_of
from paicli.policy.shell.verdicts import FORK_BOMB, PRIVILEGE, UNKNOWN_PART, Danger, asked, refused
from paicli.policy.shell.words import UNKNOWN, Word
from paicli.policy.shell.wrappers import PRIVILEGED, inner_commands

_RESERVED = frozenset({"fi", "done", "case", "esac", "for", "select", "function", "}"})
"""With words behind it no program: the tree has read a statement as a call."""
_DELETERS = frozenset({"rm", "grm", "shred", "srm", "unlink", "rmdir", "truncate", "mv", "rimraf", "trash",
                       "trash-put"})  # fmt: skip
_PERMISSION_TOOLS = frozenset({"chmod", "chown", "chgrp", "setfacl", "chattr", "chflags"})


def danger_of(call: Call) -> Danger | None:
    """The first thing that is wrong with `call`, or None. Wrapped commands are calls of their own."""
    name = call.name
    is_folder = name == "" and UNKNOWN in call.words[0].text  # `rm${IFS}-rf${IFS}/`: a blank, and no path's end
    if UNKNOWN in name or is_folder or (call.words[0].has_glob and name not in {"[", "[["}):
        return UNKNOWN_PART
    if name in _RESERVED and len(call.words) > 1:
        return asked("unparsed")
    if name in PRIVILEGED:
        return PRIVILEGE
    rule = _RULES.get(name)
    return (
        machine_danger_of(call)
        or danger_of_writing(call, written_files(call))
        or (rule(call) if rule is not None else None)
    )


def danger_of_writing(call: Call, words: Sequence[Word]) -> Danger | None:
    """Whether one of the files must not be written."""
    ground = call.ground
    doubt: Danger | None = None
    for word in words:
        target = call.target(word)
        if ground.is_disk(target.path):
            return refused("disk")
        if not target.is_known:
            continue
        if ground.is_startup_file(target.path):
            return refused("startup_file")
        if ground.is_history(target.path):
            return refused("history_file")
        if ground.is_protected(target.path):
            return refused("own_settings")
        if ground.is_repository_data(target.path):
            doubt = asked("repository")
    return doubt


def _rm(call: Call) -> Danger | None:
    is_recursive = call.name in {"rimraf", "trash", "trash-put"} or call.has_option(
        "rR", "recursive", "no-preserve-root"
    )
    found: Danger | None = None
    for word in call.operands():
        place = call.place(word)
        if place is Place.VITAL or (place is Place.ROOT and is_recursive):
            return refused("delete")
        found = found or _doubt(place, is_recursive=is_recursive)
    return found


def _doubt(place: Place, *, is_recursive: bool) -> Danger | None:
    if not is_recursive or place not in {Place.UNKNOWN, Place.OUTSIDE}:
        return None
    return asked("unknown_target" if place is Place.UNKNOWN else "outside")


def _truncate(call: Call) -> Danger | None:
    return refused("delete") if Place.VITAL in map(call.place, call.operands()) else None


def _gio(call: Call) -> Danger | None:
    """`gio trash` and `gio remove` take whole folders."""
    operands = call.operands()
    verb = operands[0].text if operands else ""
    return _rm(call._replace(words=[Word("trash"), *operands[1:]])) if verb in {"trash", "remove"} else None


def _mv(call: Call) -> Danger | None:
    sources = call.operands()[:-1]
    return refused("delete") if Place.VITAL in map(call.place, sources) else None


def _rsync(call: Call) -> Danger | None:
    deletes = any(option.startswith(("--del", "--remove-source")) for option in call.options())
    return refused("delete") if deletes and Place.VITAL in map(call.place, call.operands()[-1:]) else None


def _dd(call: Call) -> Danger | None:
    goals = [call.target(word._replace(text=word.text[3:])) for word in call.words if word.text.startswith("of=")]
    return asked("unknown_target") if any(not goal.is_known for goal in goals) else None


def _permissions(call: Call) -> Danger | None:
    is_recursive = call.has_option("R", "recursive")
    found: Danger | None = None
    for word in call.operands():
        place = call.place(word)
        if call.ground.is_protected(call.target(word).path):
            return refused("own_settings")
        if place is Place.VITAL and not is_recursive:
            found = found or asked("outside")
            continue
        if not is_recursive:
            continue
        if place is Place.VITAL:
            return refused("permissions")
        found = found or (asked("unknown_target") if place is Place.UNKNOWN else None)
    return found


_NARROWING = frozenset(
    {"-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename", "-regex", "-iregex", "-lname", "-empty",
     "-size", "-mtime", "-mmin", "-atime", "-amin", "-ctime", "-cmin", "-newer", "-inum", "-samefile", "-user",
     "-group"}
)  # fmt: skip
_NOT = frozenset({"!", "-not"})
"""`! -name x` leaves everything but one."""
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
        text in _NARROWING and texts[place + 1 : place + 2] not in (["*"], ["*.*"]) and texts[place - 1] not in _NOT
        for place, text in enumerate(texts)
    )
    found: Danger | None = None
    for folder in _searched(call.words):
        place = call.place(folder)
        if call.ground.is_protected(call.target(folder).path):
            return refused("own_settings")
        if place is Place.VITAL and not (is_narrow and call.ground.is_temporary(call.target(folder).path)):
            return refused("delete" if deletes else "permissions")
        if place is Place.ROOT and deletes and not is_narrow:
            return refused("delete")
        found = found or _doubt(place, is_recursive=deletes)
    return found


def _fd(call: Call) -> Danger | None:
    """As find: what runs on all it finds counts as done to the folders behind its pattern."""
    inner = {name_of(command.words) for command in inner_commands(call.words)}
    if inner.isdisjoint(_DELETERS | _PERMISSION_TOOLS):
        return None
    texts = [word.text for word in call.words]
    end = min(texts.index(option) for option in ("-x", "-X", "--exec", "--exec-batch") if option in texts)
    folders = call._replace(words=call.words[:end]).operands()[1:]
    is_deleting = not inner.isdisjoint(_DELETERS)
    return refused("delete" if is_deleting else "permissions") if Place.VITAL in map(call.place, folders) else None


def _searched(words: Sequence[Word]) -> list[Word]:
    """The folders find starts from."""
    at = 1
    while at < len(words) and (words[at].text in {"-H", "-L", "-P", "-D"} or words[at].text.startswith("-O")):
        at += 2 if words[at].text in _FIND_VALUED_LEADS else 1
    end = next((e for e in range(at, len(words)) if words[e].text[:1] in {"-", "(", "!", ")"}), len(words))
    return list(words[at:end]) or [Word(".")]


def _git(call: Call) -> Danger | None:
    if _cleans_vital_folder(call):
        return refused("delete")
    if _sets_program_for_all(call):
        return asked("startup_setting")
    match pushes_by_force(call.words, call.branches):
        case "yes":
            return refused("force_push")
        case "unknown":
            return asked("unknown_target")
        case _:
            return None


def _cleans_vital_folder(call: Call) -> bool:
    """`git -C ~ clean -fdx`, `cd / && git clean -f`: all that no repository knows is deleted there."""
    at = subcommand_at(call.words)
    rest = call._replace(words=call.words[at:])
    if not rest.words or rest.name != "clean" or not rest.has_option("f", "force") or rest.has_option("n", "dry-run"):
        return False
    given = list(option_values(call.words[:at], ("-C", "--work-tree")))
    return Place.VITAL in map(call.place, [*(given or [Word(".")]), *rest.operands()])


def _perl(call: Call) -> Danger | None:
    code = " ".join(word.text for word in call.words[1:])
    return FORK_BOMB if "fork while" in code or "while fork" in code else None


_GLOBAL_CONFIG = frozenset({"--global", "--system"})
_GIT_PROGRAM_KEYS = ("core.pager", "core.editor", "core.sshcommand", "core.fsmonitor", "core.hookspath", "core.askpass",
                     "core.gitproxy", "sequence.editor", "diff.external", "gpg.program", "init.templatedir",
                     "include.path", "core.attributesfile", "interactive.difffilter")  # fmt: skip


def _sets_program_for_all(call: Call) -> bool:
    """Whether git would start something new in every repository of the person."""
    texts = [word.text for word in call.words]
    if "config" not in texts or _GLOBAL_CONFIG.isdisjoint(texts):
        return False
    operands = [word.text for word in call.operands() if word.text not in {"config", "set"}]
    if len(operands) < 2:
        return False
    key, value = operands[0].lower(), operands[1]
    is_program = key.startswith(_GIT_PROGRAM_KEYS) or key.startswith(("includeif.", "filter.", "pager."))
    return is_program or value.startswith("!")


_RULES: dict[str, Callable[[Call], Danger | None]] = {
    **dict.fromkeys(("rm", "grm", "srm", "shred", "gshred", "rimraf", "trash", "trash-put"), _rm),
    **dict.fromkeys(_PERMISSION_TOOLS, _permissions),
    "mv": _mv,
    "truncate": _truncate,
    "gio": _gio,
    "rsync": _rsync,
    "dd": _dd,
    "find": _find,
    **dict.fromkeys(("fd", "fdfind"), _fd),
    **dict.fromkeys(("git", "hub"), _git),
    "perl": _perl,
}
