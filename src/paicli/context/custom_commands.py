"""Custom commands, one `NAME.md` each: front matter with a description, then the text.

They stand in `~/.paicli/commands` and, once the folder is trusted, in a project's `.paicli/commands`.
"""

import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import NamedTuple

from paicli.context.reading import NoRegularFile, read_regular
from paicli.core.errors import reason_of
from paicli.core.faults import Fault
from paicli.core.input_syntax.custom_commands import CustomCommand

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
LIMIT_BYTES = 100_000
MOST_COMMANDS = 200


class LoadedCommands(NamedTuple):
    commands: tuple[CustomCommand, ...] = ()
    """In order of name."""
    faults: tuple[Fault, ...] = ()
    """One for each file that was left aside."""


def load_custom_commands(folder: Path, *, taken: Collection[str]) -> LoadedCommands:
    """The commands of `folder`, which need not exist. `taken`: names that no file may have."""
    contents: dict[Path, bytes] = {}
    faults: list[Fault] = []
    try:
        paths = sorted(path for path in folder.iterdir() if path.suffix == ".md")
    except (FileNotFoundError, NotADirectoryError):
        return LoadedCommands()
    except OSError as error:
        return LoadedCommands(faults=(_fault("unreadable", folder, reason=reason_of(error)),))
    if len(paths) > MOST_COMMANDS:
        faults.append(_fault("too_many", folder, limit=str(MOST_COMMANDS)))
    for path in paths[:MOST_COMMANDS]:
        try:
            contents[path] = read_regular(path, LIMIT_BYTES + 1)
        except NoRegularFile:
            faults.append(_fault("unreadable", path, reason="no regular file"))
        except OSError as error:
            faults.append(_fault("unreadable", path, reason=reason_of(error)))
    read = commands_of(contents, taken=taken)
    return LoadedCommands(read.commands, (*faults, *read.faults))


def commands_of(contents: Mapping[Path, bytes], *, taken: Collection[str]) -> LoadedCommands:
    """As `load_custom_commands`, of files that were read already."""
    loaded = [_load(path, raw, taken) for path, raw in contents.items()]
    return LoadedCommands(
        tuple(command for command in loaded if isinstance(command, CustomCommand)),
        tuple(fault for fault in loaded if isinstance(fault, Fault)),
    )


def _load(path: Path, raw: bytes, taken: Collection[str]) -> CustomCommand | Fault:
    name = path.stem
    if not _NAME.fullmatch(name):
        return _fault("bad_name", path)
    if name in taken:
        return _fault("shadows", path, name=name)
    if len(raw) > LIMIT_BYTES:
        return _fault("too_large", path, limit=str(LIMIT_BYTES))
    try:
        text = raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return _fault("not_utf8", path)
    return _parsed(name, text, path)


def _parsed(name: str, text: str, path: Path) -> CustomCommand | Fault:
    fields: dict[str, str] = {}
    body = text.strip()
    if text.partition("\n")[0].rstrip() == "---":
        from paicli.context.front_matter import FrontMatterBroken, split_front_matter  # start-up: 1 ms for no command

        try:
            fields, body = split_front_matter(text)
        except FrontMatterBroken:
            return _fault("open_front_matter", path)
    description = " ".join(fields.get("description", "").split())
    return CustomCommand(name, description, body) if body else _fault("empty", path)


def _fault(what: str, path: Path, **fields: str) -> Fault:
    return Fault.of(f"custom.{what}", path=path, **fields)
