"""The answers, kept outside the folders they are about: `trust.json` in paicli's home, readable by the user alone."""

import json
from collections.abc import Iterable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple, cast

from paicli.app.trust.project_trust import BroughtFile
from paicli.core.errors import UserFacingError, reason_of
from paicli.system.files import write_state_file
from paicli.system.locks.file_lock import locked

_VERSION = 1


class StoredAnswer(StrEnum):
    YES = "yes"
    NEVER = "never"


class Answered(NamedTuple):
    answer: StoredAnswer
    digests: Mapping[str, str] = {}
    """Name → digest of the files that a yes is about."""


class Changes(NamedTuple):
    """How the files differ from those that were agreed to."""

    new: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()


class TrustStore:
    """Every folder by its resolved path; one above or below another says nothing about it."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def answers(self) -> dict[str, Answered]:
        """What can't be read is no answer: it is asked again."""
        try:
            folders = self._folders()
        except UserFacingError:
            return {}
        found = {path: _answered(record) for path, record in folders.items()}
        return {path: answered for path, answered in found.items() if answered is not None}

    def answer(self, root: Path) -> Answered | None:
        return self.answers().get(str(root))

    def keep(self, root: Path, answer: StoredAnswer, files: Iterable[BroughtFile] = ()) -> None:
        """Raises UserFacingError where it can't be kept; the file then is as it was."""
        import datetime  # 2 ms at start-up, and an answer is kept once

        now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        digests = {file.name: file.digest for file in files}
        self._change(root, {"answer": answer.value, "files": digests, "time": now})

    def forget(self, root: Path) -> None:
        """As `keep`."""
        self._change(root, None)

    def _change(self, root: Path, record: Mapping[str, Any] | None) -> None:
        try:
            with locked(self.path):
                folders = self._folders()
                folders.pop(str(root), None)
                if record is not None:
                    folders[str(root)] = record
                written = json.dumps({"version": _VERSION, "folders": folders}, ensure_ascii=False, indent=1)
                write_state_file(self.path, written.encode("utf-8", "surrogateescape"))
        except OSError as error:
            reason = reason_of(error)
            raise UserFacingError("trust.not_kept", path=str(self.path), reason=reason) from error

    def _folders(self) -> dict[str, Any]:
        try:
            raw = self.path.read_bytes()
        except FileNotFoundError:
            return {}
        except OSError as error:
            reason = reason_of(error)
            raise UserFacingError("trust.not_kept", path=str(self.path), reason=reason) from error
        try:
            tree: Any = json.loads(raw.decode("utf-8-sig", "surrogateescape"))
        except (ValueError, RecursionError) as error:
            raise UserFacingError("trust.not_kept", path=str(self.path), reason="not JSON") from error
        folders: Any = cast(dict[str, Any], tree).get("folders") if isinstance(tree, dict) else None
        if not isinstance(folders, dict):
            raise UserFacingError("trust.not_kept", path=str(self.path), reason="no folders in it")
        return dict(cast(dict[str, Any], folders))


def changes_since(answered: Answered, files: Iterable[BroughtFile]) -> Changes:
    now = {file.name: file.digest for file in files}
    before = answered.digests
    return Changes(
        tuple(name for name in now if name not in before),
        tuple(name for name in now if name in before and now[name] != before[name]),
        tuple(name for name in before if name not in now),
    )


def _answered(record: Any) -> Answered | None:
    if not isinstance(record, dict):
        return None
    fields = cast(dict[str, Any], record)
    if fields.get("answer") == StoredAnswer.NEVER:
        return Answered(StoredAnswer.NEVER)
    digests: Any = fields.get("files")
    if fields.get("answer") != StoredAnswer.YES or not isinstance(digests, dict):
        return None
    return Answered(StoredAnswer.YES, {str(key): str(value) for key, value in cast(dict[str, Any], digests).items()})
