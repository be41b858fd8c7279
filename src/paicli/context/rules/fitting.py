"""Puts the rules' files into one text that is no longer than there is room for: the nearest keep theirs."""

from collections.abc import Sequence
from typing import NamedTuple

from paicli.core.catalogue.lookup import model_text


class RuleFile(NamedTuple):
    """A file that was read."""

    path: str
    name: str
    """As a model reads it: below the project's root, or `~/.paicli/…`."""
    text: str
    size_bytes: int
    imported_by: str = ""
    """The path of the file that imports it."""
    character_count: int = 0
    """Of what the model gets."""

    @property
    def is_cut(self) -> bool:
        return self.character_count < len(self.text)


class FittedRules(NamedTuple):
    text: str
    files: tuple[RuleFile, ...]


def fit_rules(files: Sequence[RuleFile], limit: int) -> FittedRules:
    """At most `limit` characters, headings among them. `files`: the nearest last, and the first to be given room."""
    is_bare = len(files) == 1 and not files[0].name.startswith("~")
    names = {file.path: file.name for file in files}
    parts: list[str] = []
    fitted: list[RuleFile] = []
    left = limit
    for file in reversed(files):
        heading = "" if is_bare else _heading(file, names)
        room = left - len(heading) - (len("\n\n") if parts else 0)
        body, taken = _cut(file.text, max(0, room))
        fitted.append(file._replace(character_count=taken))
        if body:
            parts.append(heading + body)
            left = room - len(body)
    return FittedRules("\n\n".join(reversed(parts)), tuple(reversed(fitted)))


def _heading(file: RuleFile, names: dict[str, str]) -> str:
    by = file.imported_by
    if by:
        return model_text("rules.imported", name=file.name, by=names.get(by, by)) + "\n"
    return model_text("rules.file", name=file.name) + "\n"


def _cut(text: str, room: int) -> tuple[str, int]:
    """What is shown, and how many characters of `text` are among it."""
    if len(text) <= room:
        return text, len(text)
    notice = "\n" + model_text("rules.cut", total=len(text))
    taken = room - len(notice)
    return (text[:taken] + notice, taken) if taken > 0 else ("", 0)
