"""Changes single keys of config.toml: comments, order and every other key stay, and a crash leaves the old or the new
file. Imports tomlkit: only for whoever changes something.
"""

import copy
import os
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Array

from paicli.app.config.config_file import ConfigFile, kind_of, read_config
from paicli.core.errors import SettingsError, reason_of
from paicli.system.files import keep_private, write_state_file
from paicli.system.locks.file_lock import LockHeld, locked

_BOM = "\ufeff"
_OWN_FOLDER = ".paicli"

Changes = Mapping[str, Any]
"""dotted key → its new value, None to take it out"""


def change_config(path: Path, changes: Changes | Callable[[ConfigFile], Changes]) -> None:
    """Writes the file with `changes`, readable by the user alone from its first moment; its folder is made if missing.

    Processes take turns: a change that depends on what is there is a function of it, asked when nobody else writes.
    Raises SettingsError where the file is broken or kept by another process, a value does not fit its key or the file
    can't be written, and what the function raises; the file then is as it was.
    """
    try:
        with locked(path):
            _change(path, changes)
    except LockHeld as error:
        raise SettingsError("settings.config_locked", path=str(path)) from error
    except OSError as error:
        raise SettingsError("settings.config_unwritable", path=str(path), what=reason_of(error)) from error


def _change(path: Path, changes: Changes | Callable[[ConfigFile], Changes]) -> None:
    config = read_config(path)  # a broken file is said with its place, and not touched
    wanted = changes(config) if callable(changes) else changes
    if not wanted:
        return
    for key, value in wanted.items():
        kind = kind_of(key)
        if kind is not None and value is not None and not kind.fits(value):
            raise SettingsError(kind.wanted.replace("config_wants", "value_wants"), key=key)
    target = Path(os.path.realpath(path))  # a link to the file, as dotfile managers make them, stays one
    before = target.read_bytes().decode() if target.exists() else ""
    write_state_file(target, _edited(before, wanted, path).encode())
    if path.parent.name == _OWN_FOLDER:
        keep_private(path.parent)  # a folder that PAICLI_HOME names may serve other things too


def with_changes(config: ConfigFile, changes: Changes) -> ConfigFile:
    """`config` as it would be read after `change_config`; nothing is written."""
    values = {**config.values, **changes}
    return config._replace(values={key: value for key, value in values.items() if value is not None})


def _edited(text: str, changes: Changes, path: Path) -> str:
    mark, body = (_BOM, text[1:]) if text.startswith(_BOM) else ("", text)
    line_end = "\r\n" if "\r\n" in body else "\n"
    body = body.replace("\r\n", "\n")
    wanted = tomllib.loads(body)
    try:
        document = tomlkit.parse(body)
        for key, value in changes.items():
            _set(document, key.split("."), value)
            _set(wanted, key.split("."), copy.deepcopy(value))
        edited = tomlkit.dumps(document)
        is_as_meant = _without_empty(tomllib.loads(edited)) == _without_empty(wanted)
    except (TOMLKitError, tomllib.TOMLDecodeError, TypeError, AttributeError):
        is_as_meant, edited = False, ""
    if not is_as_meant:  # some rare shapes of tables can't be extended: better told than spoiled
        raise SettingsError("settings.config_shape", path=str(path), key=", ".join(changes))
    return mark + edited.replace("\n", line_end)


def _set(tree: Any, parts: list[str], value: Any) -> None:
    *above, name = parts
    is_plain = type(tree) is dict
    for depth, part in enumerate(above):
        if part not in tree:
            if value is None:
                return
            # A plain dict in the check's tree; tomlkit makes a table of its own of it.
            tree[part] = {} if is_plain else tomlkit.table(is_super_table=depth < len(above) - 1)
        tree = tree[part]
    before = tree.get(name)
    if value is None:
        tree.pop(name, None)
    elif isinstance(before, Array) and isinstance(value, list):
        _change_array(cast(Any, before), cast(list[Any], value))
    else:
        tree[name] = value


def _change_array(array: Any, wanted: list[Any]) -> None:
    """Takes out and appends, so that comments between the other items stay."""
    for item in [item for item in array.unwrap() if item not in wanted]:
        array.remove(item)
    for item in wanted:
        if item not in array.unwrap():
            array.append(item)


def _without_empty(tree: dict[str, Any]) -> dict[str, Any]:
    """Tables with nothing in them say nothing: taking out their last key may leave or remove them."""
    pruned: dict[str, Any] = {}
    for name, value in tree.items():
        kept: Any = _without_empty(cast(dict[str, Any], value)) if isinstance(value, dict) else value
        if kept != {}:
            pruned[name] = kept
    return pruned
