"""A case as its folder describes it.

cases/A1/case.toml      what it is, its gates, its checks and their points, its prepared conversations
cases/A1/task.md        the words the person says; a line `---` stands between turns, each then one line
cases/A1/workspace/     the project it works on, as it is before
cases/A1/grade.py       `grade(run)`: yields a `Check` for each check of case.toml; optional `gate(run)`: why it is 0
cases/A1/hidden/        optional: a grader's own tests, brought in after the run
cases/A1/service.py     optional: `start(run_folder)` gives a context manager with `environment` for paicli; its
                        `placeholders` fill `{name}` in config, options, task and conversations
cases/A1/conversations/ prepared conversations: recordings in paicli's format
"""

import re
import tomllib
from pathlib import Path
from typing import Any, NamedTuple

_TURN_MARK = re.compile(r"^---$", re.MULTILINE)
CASES = Path(__file__).parent.parent / "cases"

ALL_POINTS: dict[str, int] = {
    **dict.fromkeys(("A1", "A2", "A3", "A4", "G1", "G2"), 2),
    **dict.fromkeys(("B1", "B2", "B3", "B4", "B5", "B6", "C1", "C2", "C3"), 4),
    **dict.fromkeys(("D1", "D2", "D3", "D4", "D5", "E1", "E2", "E3", "E4", "F1", "F2", "F3", "F4"), 4),
}
"""Every case there is to be, with its points: 28 cases, 100 points."""


class CaseBroken(Exception):
    """A case's own files are wrong; its text says where."""


class Prepared(NamedTuple):
    """A conversation whose score is known beforehand: it proves the graders, and says nothing of any model."""

    name: str
    file: Path
    loses: tuple[str, ...]
    """Checks that must fail; every other one must pass. Empty: the prepared solution, full score."""
    gate: str
    """The hard gate that must close; empty: none."""


class Gates(NamedTuple):
    """What zeroes a case, whatever else was right."""

    may_change: tuple[str, ...]
    """Patterns of paths, relative to the workspace, that the task may change; nothing else may differ afterwards."""
    forbidden_tools: tuple[str, ...]
    """Names that may not be called, as far as they ran."""
    forbidden_text: tuple[str, ...]
    """What may stand in no tool call that ran."""


class Case(NamedTuple):
    id: str
    title: str
    level: str
    """L1 | L2 | L3"""
    folder: Path
    turns: tuple[str, ...]
    """What the person says, turn by turn: one is given to `-p`, several are lines of a session."""
    mode: str
    tools: tuple[str, ...] | None
    """Which tools exist; None: the default set."""
    allowed: tuple[str, ...]
    """Approval rules."""
    options: tuple[str, ...]
    """More options for paicli."""
    config: str
    """Its config.toml."""
    needs: tuple[str, ...]
    """Programs without which it is skipped, never passed."""
    packages: str
    """How to bring them, for a person."""
    npm: tuple[str, ...]
    """Packages of npm that bring them, with their versions."""
    timeout_s: float
    checks: dict[str, float]
    """Name → points; they add up to the case's."""
    gates: Gates
    prepared: tuple[Prepared, ...]

    @property
    def points(self) -> float:
        return sum(self.checks.values())

    @property
    def workspace(self) -> Path:
        return self.folder / "workspace"


def load_cases(wanted: list[str]) -> list[Case]:
    """All of them, or those named, in order. Raises CaseBroken."""
    folders = sorted(folder for folder in CASES.iterdir() if (folder / "case.toml").is_file())
    unknown = set(wanted) - {folder.name for folder in folders}
    if unknown:
        raise CaseBroken(f"no case {', '.join(sorted(unknown))}; there are {' '.join(f.name for f in folders)}")
    return [load_case(folder) for folder in folders if not wanted or folder.name in wanted]


def load_case(folder: Path) -> Case:
    """Raises CaseBroken with the file and what is wrong in it."""
    try:
        described = tomllib.loads((folder / "case.toml").read_text(encoding="utf-8"))
        case = _case(folder, described)
    except (OSError, tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        raise CaseBroken(f"{folder.name}/case.toml: {type(error).__name__}: {error}") from error
    if case.points != ALL_POINTS.get(case.id):
        raise CaseBroken(f"{case.id}: its checks add up to {case.points}, not {ALL_POINTS.get(case.id)}")
    right = [each.name for each in case.prepared if not each.loses and not each.gate]
    if right[:1] != ["solution"] or len(case.prepared) - len(right) < 2:
        raise CaseBroken(f"{case.id}: a prepared solution first and at least two wrong ones are wanted")
    if misnamed := [each.name for each in case.prepared if each.name.startswith("wrong_") == (each.name in right)]:
        raise CaseBroken(f"{case.id}: {misnamed}: what loses something is called wrong_…, and nothing else is")
    for prepared in case.prepared:
        if unknown := set(prepared.loses) - set(case.checks):
            raise CaseBroken(f"{case.id}: {prepared.name} loses unknown checks {sorted(unknown)}")
        if not prepared.file.is_file():
            raise CaseBroken(f"{case.id}: no file {prepared.file.name}")
    return case


def _case(folder: Path, described: dict[str, Any]) -> Case:
    gates = described.get("gates", {})
    known = {
        "id", "title", "level", "mode", "tools", "allowed", "options", "config", "needs", "packages", "npm",
        "timeout_s", "checks", "gates", "prepared",
    }  # fmt: skip
    if unknown := set(described) - known:
        raise ValueError(f"unknown keys {sorted(unknown)}")
    if described["id"] != folder.name:
        raise ValueError(f"id {described['id']} in folder {folder.name}")
    return Case(
        id=described["id"],
        title=described["title"],
        level=described["level"],
        folder=folder,
        turns=tuple(turn.strip() for turn in _TURN_MARK.split((folder / "task.md").read_text(encoding="utf-8"))),
        mode=described.get("mode", "auto"),
        tools=tuple(described["tools"]) if "tools" in described else None,
        allowed=tuple(described.get("allowed", ())),
        options=tuple(described.get("options", ())),
        config=described.get("config", ""),
        needs=tuple(described.get("needs", ())),
        packages=described.get("packages", ""),
        npm=tuple(described.get("npm", ())),
        timeout_s=float(described.get("timeout_s", 120)),
        checks={name: float(points) for name, points in described["checks"].items()},
        gates=Gates(
            tuple(gates.get("may_change", ())),
            tuple(gates.get("forbidden_tools", ())),
            tuple(gates.get("forbidden_text", ())),
        ),
        prepared=tuple(_prepared(folder, each) for each in described["prepared"]),
    )


def _prepared(folder: Path, described: dict[str, Any]) -> Prepared:
    return Prepared(
        described["name"],
        folder / "conversations" / f"{described['name']}.jsonl",
        tuple(described.get("loses", ())),
        described.get("gate", ""),
    )
