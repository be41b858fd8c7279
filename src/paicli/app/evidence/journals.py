"""Finds the journal that a person names by id, by the beginning of one, or by its path."""

from pathlib import Path

from paicli.core.errors import SessionNotFound, SettingsError


def find_journal(named: str, home: Path) -> Path:
    """`named`: a file, a session's id or its beginning, "" for the newest session there is.

    Raises SessionNotFound, and SettingsError where more than one session begins so.
    """
    if named and ("/" in named or Path(named).is_file()):
        path = Path(named).expanduser()
        if not path.is_file():
            raise SessionNotFound("evidence.no_file", path=named)
        return path
    journals = sorted((home / "sessions").glob("*/*.jsonl"), key=lambda path: path.stem)
    if not named:
        if not journals:
            raise SessionNotFound("evidence.no_session")
        return journals[-1]
    found = [path for path in journals if path.stem.startswith(named)]
    exact = [path for path in found if path.stem == named]
    if not found:
        raise SessionNotFound("evidence.unknown_session", session=named)
    if len(found) > 1 and len(exact) != 1:
        raise SettingsError("evidence.ambiguous", session=named, count=len(found))
    return (exact or found)[0]
