"""What each file of a folder would do, for the question: taken from its text, without following any of it."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, cast

from paicli.app.trust.dotenv import used
from paicli.app.trust.project_trust import BroughtFile, BroughtKind, named, shown_name
from paicli.core.faults import Fault

_SHOWN_VARIABLES = ("PAICLI_PROVIDER", "PAICLI_MODEL", "PAICLI_BASE_URL", "PAICLI_LANG", "PAICLI_PLAN_MAX_REPLANS")
"""Whose values are no secrets."""
_SHOWN_KEYS = ("base_url", "provider", "model", "mode")


class Described(NamedTuple):
    name: str
    does: tuple[Fault, ...]
    """Lines, each with a code and fields; the fields are the folder's own words, to be cleaned."""
    members: tuple[str, ...]
    """The names of the files it stands for."""


def described(files: Iterable[BroughtFile]) -> tuple[Described, ...]:
    """One for each file; a skill is one."""
    by_name: dict[str, list[BroughtFile]] = {}
    for file in files:
        by_name.setdefault(shown_name(file), []).append(file)
    return tuple(
        Described(name, tuple(_does(members)), tuple(file.name for file in members))
        for name, members in by_name.items()
    )


def _does(files: list[BroughtFile]) -> Iterator[Fault]:
    file = files[0]
    match file.kind:
        case BroughtKind.ENV:
            yield Fault.of("trust.does_env", names=", ".join(_shown_variable(*pair) for pair in used(file.raw).items()))
        case BroughtKind.CONFIG | BroughtKind.HOOKS:
            yield from _config(file.raw)
        case BroughtKind.MCP:
            yield from _servers(file.raw)
        case BroughtKind.COMMANDS:
            name = file.name.rpartition("/")[2].removesuffix(".md")
            yield Fault.of("trust.does_command", name=name)
        case BroughtKind.SKILLS:
            names = [each.name.split("/", 3)[-1] for each in files if not each.name.endswith(".md")]
            yield Fault.of("trust.does_skill", count=str(len(names)), names=named(names))


def _shown_variable(name: str, value: str) -> str:
    return f"{name}={value}" if name in _SHOWN_VARIABLES else name


def _config(raw: bytes) -> Iterator[Fault]:
    import tomllib  # 7 ms at start-up, and few folders bring such a file

    try:
        tree: dict[str, Any] = tomllib.loads(raw.decode("utf-8-sig").replace("\r\n", "\n"))
    except (ValueError, RecursionError):
        yield Fault.of("trust.does_unreadable")
        return
    hooks = tree.pop("hooks", None)
    keys = [_shown_key(key, value) for key, value in _leaves(tree, "")]
    if keys:
        yield Fault.of("trust.does_config", keys=", ".join(keys))
    if hooks is not None:
        listed: list[Any] = cast(list[Any], hooks) if isinstance(hooks, list) else [hooks]
        commands = [str(cast(dict[str, Any], hook).get("command", "")) for hook in listed if isinstance(hook, dict)]
        yield Fault.of("trust.does_hooks", count=str(len(listed)), commands=named(commands))


def _shown_key(key: str, value: Any) -> str:
    if key.rpartition(".")[2] in _SHOWN_KEYS:
        return f"{key}={value}"
    if key.startswith("permissions.") and isinstance(value, list):
        return f"{key}={named([str(rule) for rule in cast(list[Any], value)])}"
    return key


def _leaves(tree: Mapping[str, Any], above: str) -> Iterator[tuple[str, Any]]:
    for name, value in tree.items():
        if isinstance(value, dict) and value:
            yield from _leaves(cast(dict[str, Any], value), f"{above}{name}.")
        else:
            yield f"{above}{name}", value


def _servers(raw: bytes) -> Iterator[Fault]:
    try:
        tree: Any = json.loads(raw.decode("utf-8-sig"))
        servers = dict(tree["mcpServers"])
    except (ValueError, RecursionError, KeyError, TypeError):
        yield Fault.of("trust.does_unreadable")
        return
    for name, entry in servers.items():
        fields = cast(dict[str, Any], entry) if isinstance(entry, dict) else {}
        arguments: Any = fields.get("args")
        listed: list[Any] = cast(list[Any], arguments) if isinstance(arguments, list) else []
        started = " ".join(map(str, (fields.get("command", ""), *listed))).strip()
        yield Fault.of("trust.does_server", name=name, target=started or str(fields.get("url", "")))
