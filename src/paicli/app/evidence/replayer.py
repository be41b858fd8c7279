"""Brings in `e1_replay`, the one file that judges journals with code of its own; it is carried beside the package."""

import importlib.util
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, Protocol, cast

from paicli.core.errors import SettingsError

_NAME = "e1_replay"
_PLACES = (
    Path(__file__).parents[2] / "evals" / f"{_NAME}.py",
    Path(__file__).parents[4] / "evals" / f"{_NAME}.py",
)
"""In the wheel; in a checkout, where an editable install has no packaged copy."""


class Violation(Protocol):
    @property
    def rule(self) -> str: ...
    @property
    def seq(self) -> int: ...
    @property
    def what(self) -> str: ...


class Judgement(NamedTuple):
    """What the replayer says of a journal."""

    events: int
    violations: tuple[Violation, ...] = ()
    unjudgeable: str = ""
    """Why there is no verdict; empty where there is one."""


def judge(text: str) -> Judgement:
    """Raises SettingsError where the replayer is missing from the installation."""
    replayer = _load()
    try:
        records = cast("list[dict[str, Any]]", replayer.read_journal(text))
    except replayer.Unjudgeable as error:
        return Judgement(0, unjudgeable=str(error))
    try:
        found = cast("Iterable[Violation]", replayer.check(records))
        return Judgement(len(records), tuple(found))
    except replayer.Unjudgeable as error:
        return Judgement(len(records), unjudgeable=str(error))


def _load() -> ModuleType:
    for place in _PLACES:
        spec = importlib.util.spec_from_file_location(_NAME, place)
        if not place.is_file() or spec is None or spec.loader is None:
            continue
        module = importlib.util.module_from_spec(spec)
        sys.modules[_NAME] = module  # its NamedTuples look their module up
        spec.loader.exec_module(module)
        return module
    raise SettingsError("evidence.no_replayer", places=", ".join(map(str, _PLACES)))
