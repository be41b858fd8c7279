"""PAI.md: the project's own rules for whoever works in it."""

from pathlib import Path
from typing import NamedTuple

from paicli.context.reading import read_regular
from paicli.core.faults import Fault
from paicli.core.unicode import decoded, without_tags

FILE_NAME = "PAI.md"
LIMIT = 40_000
"""Characters; the rest is cut."""


class ProjectRules(NamedTuple):
    text: str = ""
    path: str = ""
    """Empty: there are none."""
    is_cut: bool = False
    faults: tuple[Fault, ...] = ()
    """What a person should hear: a file that was left aside and why, characters that were taken out."""


def load_project_rules(start: Path) -> ProjectRules:
    """The nearest PAI.md from `start` upwards, not past the git root; `start` alone where there is no git root.

    A file that can't be read, is no text, or is a link that leads out of that tree, is left aside: a cloned repository
    must not bring a file of the person's home to the model.
    """
    folders = _folders(start)
    faults: list[Fault] = []
    for folder in folders:
        path = folder / FILE_NAME
        try:
            if not path.resolve().is_relative_to(folders[-1].resolve()):
                faults.append(_fault("outside", path))
                continue
            raw = read_regular(path, LIMIT * 4 + 4)
        except FileNotFoundError:
            continue
        except (OSError, RuntimeError):  # RuntimeError: links in a circle
            faults.append(_fault("unreadable", path))
            continue
        if b"\0" in raw:
            faults.append(_fault("unreadable", path))
            continue
        text, hidden = without_tags(decoded(raw).removeprefix("\ufeff"))
        if hidden:
            faults.append(_fault("hidden", path, count=str(hidden)))
        text = text.strip()
        return ProjectRules(text[:LIMIT], str(path), len(text) > LIMIT, tuple(faults))
    return ProjectRules(faults=tuple(faults))


def _fault(what: str, path: Path, **fields: str) -> Fault:
    return Fault(f"session.rules_{what}", (("path", str(path)), *fields.items()))


def _folders(start: Path) -> list[Path]:
    upwards = [start, *start.parents]
    for number, folder in enumerate(upwards):
        if (folder / ".git").exists():
            return upwards[: number + 1]
    return [start]
