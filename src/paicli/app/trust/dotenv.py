"""A folder's `.env`, as far as paicli is concerned: its own variables and the providers' keys, nothing else.

`NAME=VALUE` lines, `export` before them, `#` comments, values in single quotes (as they are) or double quotes (with
backslash escapes), over several lines too. Nothing is expanded, and nothing gets into a command's environment.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from paicli.app.config.config_file import ConfigFile, kind_of
from paicli.core.errors import SettingsError
from paicli.core.faults import Fault
from paicli.llm.providers import PROVIDERS

_OWN = {
    "PAICLI_PROVIDER": "model.provider",
    "PAICLI_MODEL": "model.model",
    "PAICLI_BASE_URL": "model.base_url",
    "PAICLI_API_KEY": "model.api_key",
    "PAICLI_LANG": "ui.language",
    "PAICLI_PLAN_MAX_REPLANS": "plan.max_replans",
}
_BEGIN = re.compile(r"[ \t]*(?:export[ \t]+)?(?P<name>[A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*")
_QUOTED = {"'": re.compile(r"'(?P<text>[^']*)'"), '"': re.compile(r'"(?P<text>(?:[^"\\]|\\.)*)"', re.DOTALL)}
_AFTER = re.compile(r"[ \t]*(?:#[^\n]*)?(?=\n|\Z)")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r"}


class Variable(NamedTuple):
    name: str
    value: str | None
    """None: a quote that nobody closes, or something behind the closing one."""
    line: int
    column: int


def variables_in(raw: bytes) -> tuple[Variable, ...]:
    """Those that concern paicli, the last of a name; PAICLI_ names that it doesn't know too."""
    text = raw.decode("utf-8-sig", "replace").replace("\r\n", "\n")
    found = {variable.name: variable for variable in _scan(text) if _concerns(variable.name)}
    return tuple(found.values())


def settings_of(path: Path, raw: bytes) -> ConfigFile:
    """The variables as keys of the configuration. Raises SettingsError with path, line, column and name."""
    values: dict[str, Any] = {}
    spelled: dict[str, str] = {}
    warnings: list[Fault] = []
    for variable in variables_in(raw):
        where = {
            "path": str(path),
            "line": str(variable.line),
            "column": str(variable.column),
            "key": variable.name,
        }
        if variable.value is None:
            raise SettingsError("settings.env_quote", **where)
        keys = keys_of(variable.name)
        if not keys:
            warnings.append(Fault("settings.env_unknown", tuple(where.items())))
        value = _typed(variable.name, variable.value.strip())
        for key in keys if value != "" else ():
            kind = kind_of(key)
            if kind is not None and not kind.fits(value):
                raise SettingsError(kind.wanted, **where)
            if key not in values:
                values[key], spelled[key] = value, variable.name
    return ConfigFile(path, values, tuple(warnings), spelled=spelled)


def keys_of(name: str) -> tuple[str, ...]:
    """The keys of the configuration that a variable stands for."""
    if name in _OWN:
        return (_OWN[name],)
    return tuple(f"providers.{row.name}.api_key" for row in PROVIDERS.values() if name in row.key_variables)


def used(raw: bytes) -> Mapping[str, str]:
    """Name → value of what paicli would use."""
    return {found.name: found.value or "" for found in variables_in(raw) if keys_of(found.name)}


def _concerns(name: str) -> bool:
    return name.startswith("PAICLI_") or bool(keys_of(name))


def _typed(name: str, value: str) -> Any:
    if name == "PAICLI_LANG":
        return value.lower()[:2] if value.lower().startswith(("zh", "en")) else value
    is_number = name == "PAICLI_PLAN_MAX_REPLANS" and value.isascii() and value.isdigit()
    return int(value[:9]) if is_number else value


def _scan(text: str) -> Iterator[Variable]:
    position = 0
    while position < len(text):
        begin = _BEGIN.match(text, position)
        end = _line_end(text, position)
        if begin is not None and begin.end() <= end:
            value, end = _value(text, begin.end())
            start = begin.start("name")
            line, column = text.count("\n", 0, start) + 1, start - (text.rfind("\n", 0, start) + 1) + 1
            yield Variable(begin["name"], value, line, column)
        position = end + 1


def _value(text: str, start: int) -> tuple[str | None, int]:
    """(value, where its line ends)"""
    quote = text[start : start + 1]
    if quote not in _QUOTED:
        end = _line_end(text, start)
        return re.split(r"(?:^|[ \t])#", text[start:end], maxsplit=1)[0].strip(), end
    quoted = _QUOTED[quote].match(text, start)
    if quoted is None or not _AFTER.match(text, quoted.end()):
        return None, _line_end(text, start)
    inner = quoted["text"]
    if quote == '"':
        inner = _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), inner)
    return inner, _line_end(text, quoted.end())


def _line_end(text: str, position: int) -> int:
    end = text.find("\n", position)
    return len(text) if end < 0 else end
