"""PAI.md: the project's own rules for whoever works in it."""

from pathlib import Path
from typing import NamedTuple

from paicli.core.unicode import decoded

FILE_NAME = "PAI.md"
LIMIT = 40_000
"""Characters; the rest is cut."""


class ProjectRules(NamedTuple):
    text: str = ""
    path: str = ""
    """Empty: there are none."""
    is_cut: bool = False


def load_project_rules(start: Path) -> ProjectRules:
    """The nearest PAI.md from `start` upwards, not past the git root; `start` alone where there is no git root.

    A file that can't be read, or a link that leads out of that tree, counts as none: a cloned repository must not
    bring a file of the person's home to the model.
    """
    folders = _folders(start)
    for folder in folders:
        path = folder / FILE_NAME
        try:
            if not path.is_file() or not path.resolve().is_relative_to(folders[-1].resolve()):
                continue
            with path.open("rb") as file:
                raw = file.read(LIMIT * 4 + 4)
        except OSError:
            continue
        text = decoded(raw).removeprefix("\ufeff").strip()
        return ProjectRules(text[:LIMIT], str(path), len(text) > LIMIT)
    return ProjectRules()


def _folders(start: Path) -> list[Path]:
    upwards = [start, *start.parents]
    for number, folder in enumerate(upwards):
        if (folder / ".git").exists():
            return upwards[: number + 1]
    return [start]
