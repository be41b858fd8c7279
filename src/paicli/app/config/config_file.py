"""Reads config.toml: says exactly where it is wrong, warns about keys it does not know, and never writes it."""

import math
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, cast

from paicli.core.errors import SettingsError, reason_of
from paicli.core.faults import Fault

_MAX_BYTES = 1_000_000
_SECRET_HEADERS = ("auth", "cookie", "key", "password", "secret", "token")
_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
_POSITION = re.compile(
    r"(?P<what>.*?) \(at (?:line (?P<line>\d+), column (?P<column>\d+)|end of document)\)", re.DOTALL
)


class ValueKind(NamedTuple):
    """What may stand as the value of a key."""

    wanted: str
    """Catalogue code of the error that says what belongs there."""
    fits: Callable[[Any], bool]


def _wants(what: str, fits: Callable[[Any], bool]) -> ValueKind:
    return ValueKind(f"settings.config_wants_{what}", fits)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is(kind: type) -> Callable[[Any], bool]:
    def fits(value: Any) -> bool:
        return isinstance(value, kind)

    return fits


def _between(low: float, high: float) -> Callable[[Any], bool]:
    def fits(value: Any) -> bool:
        return _is_number(value) and low <= value <= high

    return fits


def _whole(low: int, high: int) -> Callable[[Any], bool]:
    def fits(value: Any) -> bool:
        return isinstance(value, int) and _is_number(value) and low <= value <= high

    return fits


def _one_of(*words: str) -> Callable[[Any], bool]:
    def fits(value: Any) -> bool:
        return isinstance(value, str) and value in words

    return fits


def _is_strings(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in cast(list[Any], value))


def _is_headers(value: Any) -> bool:
    if not isinstance(value, dict):
        return False
    items = cast(dict[str, Any], value).items()
    return all(_HEADER_NAME.fullmatch(name) and isinstance(text, str) and _is_ascii_line(text) for name, text in items)


def _is_ascii_line(text: str) -> bool:
    return text.isascii() and text.isprintable()


def _is_json_table(value: Any) -> bool:
    return isinstance(value, dict) and _is_json(value)


def _is_json(value: Any) -> bool:
    """What TOML has and JSON has not: dates and times, nan and inf."""
    if isinstance(value, dict):
        return all(map(_is_json, cast(dict[str, Any], value).values()))
    if isinstance(value, list):
        return all(map(_is_json, cast(list[Any], value)))
    return isinstance(value, str) or (isinstance(value, int | float) and math.isfinite(value))


_STRING = _wants("a_string", _is(str))
_SWITCH = _wants("a_switch", _is(bool))
_SECONDS = _wants("seconds", _between(0.001, 86_400))
_PRICE = _wants("a_price", _between(0, 100_000))
_COUNT = _wants("a_count", _whole(1, 10**9))
_STRINGS = _wants("strings", _is_strings)
_TABLE = _wants("a_table", _is(dict))

KEYS: dict[str, ValueKind] = {
    "model.provider": _STRING,
    "model.model": _STRING,
    "model.base_url": _STRING,
    "model.api_key": _STRING,
    "model.headers": _wants("headers", _is_headers),
    "model.extra_body": _wants("json_table", _is_json_table),
    "model.temperature": _wants("temperature", _between(0, 2)),
    "model.thinking": _SWITCH,
    "model.vision": _SWITCH,
    "model.window_tokens": _COUNT,
    "model.price_input": _PRICE,
    "model.price_cached": _PRICE,
    "model.price_output": _PRICE,
    "model.connect_timeout_s": _SECONDS,
    "model.read_timeout_s": _SECONDS,
    "model.request_timeout_s": _SECONDS,
    "providers.*.api_key": _STRING,
    "providers.*.base_url": _STRING,
    "providers.*.model": _STRING,
    "models.review": _STRING,
    "models.small": _STRING,
    "models.fallback": _STRINGS,
    "session.mode": _wants("mode", _one_of("auto", "plan", "ask")),
    "ui.language": _wants("language", _one_of("zh", "en")),
    "ui.ascii": _SWITCH,
    "ui.color": _SWITCH,
    "ui.notify": _wants("notify", _one_of("off", "bell", "all")),
    "ui.theme": _wants("theme", _one_of("dark", "light", "none")),
    "plan.parallel": _wants("parallel", _whole(1, 4)),
    "plan.max_replans": _wants("replans", _whole(0, 100)),
    "limits.max_turns": _COUNT,
    "limits.max_tokens": _COUNT,
    "limits.max_budget_usd": _wants("usd", _between(0.000_001, 1_000_000)),
    "snapshots.enabled": _SWITCH,
    "sandbox.mode": _wants("sandbox", _one_of("off", "workspace", "strict")),
    "web.search": _wants("search", _one_of("zhipu", "serpapi", "searxng", "tavily", "brave", "off")),
    "web.api_key": _STRING,
    "web.base_url": _STRING,
    "web.allow_hosts": _STRINGS,
    "skills.off": _STRINGS,
    "storage.keep_days": _wants("keep_days", _whole(0, 36_500)),
    "permissions.allow": _STRINGS,
    "permissions.ask": _STRINGS,
    "permissions.deny": _STRINGS,
}
"""Every key there is; `*` stands for one name."""


def is_secret_header(name: str) -> bool:
    """Whether the value of such a header, by its name, is a key."""
    return any(word in name.lower() for word in _SECRET_HEADERS)


def kind_of(key: str) -> ValueKind | None:
    """What belongs at the dotted `key`; None: there is no such key."""
    return KEYS.get(_pattern_of(tuple(key.split("."))))


class ConfigFile(NamedTuple):
    """The file's values by dotted key, checked against KEYS."""

    path: Path
    values: Mapping[str, Any]
    """What this file itself says."""
    warnings: tuple[Fault, ...] = ()
    """One for each key that nobody reads."""
    above: tuple["ConfigFile", ...] = ()
    """Files that win over this one, the strongest first: what a trusted folder brings."""
    spelled: Mapping[str, str] = {}
    """How the file itself calls a key, where it has a name of its own for it (`.env`)."""

    @property
    def layers(self) -> tuple["ConfigFile", ...]:
        return (*self.above, self)

    def get(self, key: str) -> Any:
        """The value in force, or None."""
        return next((layer.values[key] for layer in self.layers if key in layer.values), None)

    def source_of(self, key: str) -> str:
        """Where the value in force stands; for one that is nowhere, where it would."""
        layer = next((layer for layer in self.layers if key in layer.values), self)
        return layer.place_of(key)

    def place_of(self, key: str) -> str:
        """Where this file itself has the key, or would have it."""
        return f"{self.path}: {self.spelled.get(key, key)}"

    def collected(self, key: str) -> tuple[str, ...]:
        """The strings of a list that files add to and don't replace."""
        return tuple(dict.fromkeys(text for layer in self.layers for text in layer.values.get(key) or ()))

    def origin_of(self, key: str, text: str) -> str:
        """Where the string `text` of the list at `key` stands; empty where it stands nowhere."""
        return next((f"{layer.path}: {key}" for layer in self.layers if text in (layer.values.get(key) or ())), "")

    def with_owner(self, provider: str) -> "ConfigFile":
        """Where the files above say something of a model and not whose it is, it is that provider's."""

        def owned(file: ConfigFile) -> ConfigFile:
            is_open = not file.values.get("model.provider") and any(key.startswith("model.") for key in file.values)
            return file._replace(values={**file.values, "model.provider": provider}) if is_open and provider else file

        return self._replace(above=tuple(map(owned, self.above)))

    def is_brought(self, source: str) -> bool:
        """`source`, as `source_of` says it, is no file of the user's own."""
        return any(source.startswith(f"{layer.path}: ") for layer in self.above)


def read_config(path: Path) -> ConfigFile:
    """A missing or empty file gives no values. Raises SettingsError with path, line, column, key and reason."""
    return config_of(path, _read(path))


def config_of(path: Path, raw: bytes) -> ConfigFile:
    """As `read_config`, of content that was read already."""
    text = _decoded(path, raw)
    if not text.strip():
        return ConfigFile(path, {})
    tree = _parse(path, text)
    values: dict[str, Any] = {}
    warnings: list[Fault] = []
    errors: list[SettingsError] = []
    for key, value in _leaves(tree, ()):
        kind = _TABLE if _is_section(key) else KEYS.get(_pattern_of(key))
        if kind is None:
            warnings.append(Fault("settings.config_key_unknown", tuple(_place(path, text, key).items())))
        elif not kind.fits(value):
            errors.append(SettingsError(kind.wanted, **_place(path, text, key)))
        else:
            values[".".join(key)] = value
    if errors:
        errors[0].others = tuple(errors[1:])
        raise errors[0]
    return ConfigFile(path, values, tuple(warnings))


def _place(path: Path, text: str, key: tuple[str, ...]) -> dict[str, str]:
    line, column = _position(text, key)
    return {"path": str(path), "line": str(line), "column": str(column), "key": ".".join(key)}


def _read(path: Path) -> bytes:
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            raise SettingsError("settings.config_no_file", path=str(path))
        if status.st_size > _MAX_BYTES:
            raise SettingsError("settings.config_too_large", path=str(path), size_bytes=status.st_size)
        return path.read_bytes()
    except FileNotFoundError:
        return b""
    except OSError as error:
        raise SettingsError("settings.config_unreadable", path=str(path), what=reason_of(error)) from error


def _decoded(path: Path, raw: bytes) -> str:
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        column = error.start - (raw.rfind(b"\n", 0, error.start) + 1) + 1
        raise SettingsError("settings.config_not_utf8", path=str(path), line=line, column=column) from error


def _parse(path: Path, text: str) -> dict[str, Any]:
    import tomllib  # 7 ms at start-up, and most homes have no such file

    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = _POSITION.fullmatch(str(error))
        what = found["what"] if found else str(error)
        line, column = (found["line"], found["column"]) if found and found["line"] else _end_of(text)
        where = {"path": str(path), "line": line, "column": column, "what": what}
        key = _key_on(text, int(line))
        if key:
            raise SettingsError("settings.config_syntax", **where, key=key) from error
        raise SettingsError("settings.config_syntax_bare", **where) from error
    except RecursionError as error:
        raise SettingsError("settings.config_too_deep", path=str(path)) from error


def _leaves(tree: dict[str, Any], above: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Keys down to where KEYS knows or no longer knows them, with their values."""
    for name, value in tree.items():
        key = (*above, name)
        if isinstance(value, dict) and _is_section(key):
            yield from _leaves(cast(dict[str, Any], value), key)
        else:
            yield key, value


def _is_section(key: tuple[str, ...]) -> bool:
    return any(known.startswith(f"{_pattern_of(key)}.") for known in KEYS)


def _pattern_of(key: tuple[str, ...]) -> str:
    is_provider = len(key) > 1 and key[0] == "providers"
    return ".".join(("providers", "*", *key[2:]) if is_provider else key)


def _position(text: str, key: tuple[str, ...]) -> tuple[int, int]:
    """Line and column, from 1, where the key stands; of its table's header where the key itself is not found."""
    table: tuple[str, ...] = ()
    best = (1, 1)
    for number, line in enumerate(text.split("\n"), 1):
        stripped = line.lstrip()
        column = len(line) - len(stripped) + 1
        header = re.match(r"\[\[?([^\[\]]+)\]\]?", stripped)
        if header:
            table = _names(header[1])
            if table == key[: len(table)]:
                best = (number, column)
            if table == key:
                return best
            continue
        names = (*table, *_names(stripped.partition("=")[0])) if "=" in stripped else ()
        if names and names[: len(key)] == key:
            return number, column
        if names and names == key[: len(names)]:
            best = (number, column)
    return best


def _names(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))


def _end_of(text: str) -> tuple[str, str]:
    lines = text.rstrip("\n").split("\n")
    return str(len(lines)), str(len(lines[-1]) + 1)


def _key_on(text: str, number: int) -> str:
    """The key or the table's header on that line; never what comes after `=`, which may be a secret."""
    lines = text.split("\n")
    shown = lines[number - 1].strip() if 0 < number <= len(lines) else ""
    return shown.partition("=")[0].strip()[:80] if "=" in shown or shown.startswith("[") else ""
