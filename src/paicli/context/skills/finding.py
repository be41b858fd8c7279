"""Finds skills where people keep them; one that can't be used is told and hides no other."""

import os
import re
from collections.abc import Callable, Iterable
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from paicli.context.reading import read_regular
from paicli.core.errors import reason_of
from paicli.core.faults import Fault
from paicli.core.unicode import clipped, well_formed, without_tags

FILE_NAME = "SKILL.md"
BODY_CHARACTERS = 5_120
DESCRIPTION_CHARACTERS = 1_024
MOST_SKILLS = 200
"""Looked at in one folder of skills."""
_MOST_BYTES = 1_000_000
_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", *(f"{name}{number}" for name in ("com", "lpt") for number in range(10))}
)
"""Names that are no folders everywhere a project may be checked out."""
PLACES = ((".paicli", "skills"), (".agents", "skills"), (".claude", "skills"))
"""Below a project's folders and the user's home, the one that wins first."""


class SkillSource(StrEnum):
    PROJECT = "project"
    USER = "user"
    PACKAGED = "packaged"


class Skill(NamedTuple):
    name: str
    description: str
    """On one line."""
    body: str
    """Whole."""
    folder: Path
    source: SkillSource

    @property
    def path(self) -> Path:
        return self.folder / FILE_NAME


class SkillPlace(NamedTuple):
    """A folder with a folder for each skill."""

    folder: Path
    source: SkillSource
    inside: Path | None = None
    """What the skills' folders must not lead out of; None: they may be links to anywhere."""


class FoundSkills(NamedTuple):
    skills: tuple[Skill, ...] = ()
    """The nearest first, each name once."""
    faults: tuple[Fault, ...] = ()
    """One for each folder that was left aside."""


def is_skill_name(name: str) -> bool:
    """`[a-z0-9][a-z0-9_-]{0,63}`, and no device's name."""
    return _NAME.fullmatch(name) is not None and name not in _DEVICES


def find_skills(
    places: Iterable[SkillPlace], *, is_usable: Callable[[Path], bool] = lambda folder: True
) -> FoundSkills:
    """`places`: the nearest first. `is_usable`: whether a skill's folder may be used; one that may not is told."""
    by_name: dict[str, Skill] = {}
    faults: list[Fault] = []
    seen: set[Path] = set()
    for place in places:
        for folder in _folders_in(place, faults):
            real = Path(os.path.realpath(folder))
            if real in seen:
                continue
            seen.add(real)
            loaded = _load(folder, real, place)
            if isinstance(loaded, Fault):
                faults.append(loaded)
            elif loaded.name in by_name:
                continue
            elif place.source is SkillSource.PROJECT and not is_usable(folder):
                faults.append(_fault("untrusted", folder, name=loaded.name))
            else:
                by_name[loaded.name] = loaded
    return FoundSkills(tuple(by_name.values()), tuple(faults))


def _folders_in(place: SkillPlace, faults: list[Fault]) -> list[Path]:
    try:
        folders = sorted(entry for entry in place.folder.iterdir() if os.path.lexists(entry / FILE_NAME))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        faults.append(_fault("unreadable", place.folder, reason=reason_of(error)))
        return []
    if len(folders) > MOST_SKILLS:
        faults.append(_fault("too_many", place.folder, limit=str(MOST_SKILLS)))
    return folders[:MOST_SKILLS]


def _load(folder: Path, real: Path, place: SkillPlace) -> Skill | Fault:
    path = folder / FILE_NAME
    file = Path(os.path.realpath(path))
    inside = Path(os.path.realpath(place.inside)) if place.inside is not None else None
    if not file.is_relative_to(real) or (inside is not None and not real.is_relative_to(inside)):
        return _fault("outside", path)
    try:
        raw = read_regular(file, _MOST_BYTES + 1)
    except OSError as error:
        return _fault("unreadable", path, reason=error.strerror or "no regular file")
    if len(raw) > _MOST_BYTES:
        return _fault("too_large", path, limit=f"{_MOST_BYTES:,}")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return _fault("not_utf8", path)
    return _parsed(text, folder, place.source)


def _parsed(text: str, folder: Path, source: SkillSource) -> Skill | Fault:
    from paicli.context.front_matter import FrontMatterBroken, split_front_matter  # start-up: 1 ms for no skill

    path = folder / FILE_NAME
    try:
        fields, body = split_front_matter(without_tags(text)[0])
    except FrontMatterBroken:
        return _fault("no_front_matter", path)
    name = fields.get("name") or folder.name
    if not is_skill_name(name):
        return _fault("bad_name", path, name=clipped(name, 80))
    description = " ".join(well_formed(fields.get("description", "")).split())
    if not description:
        return _fault("no_description", path)
    if not body:
        return _fault("no_body", path)
    return Skill(name, clipped(description, DESCRIPTION_CHARACTERS), body, folder, source)


def _fault(what: str, path: Path, **fields: str) -> Fault:
    return Fault.of(f"skills.{what}", path=path, **fields)
