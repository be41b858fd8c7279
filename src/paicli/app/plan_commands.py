"""Plans as files: where `paicli plan` puts them, and how `paicli run` finds out what is wrong with one."""

import os
from pathlib import Path
from typing import NamedTuple

from paicli.core.catalogue.lookup import Texts
from paicli.core.errors import PlanInvalid, SettingsError
from paicli.core.faults import Fault
from paicli.core.plan_view import PlanView
from paicli.system.files import FileContents, read_contents, replace_file
from paicli.system.folders import NotRegular
from paicli.ui.rendering.fault_texts import fault_text

_MAX_BYTES = 5_000_000


class PlanFile(NamedTuple):
    """A file that a plan will be written to."""

    path: Path
    """Resolved: a link stays a link to the new content."""

    @classmethod
    def at(cls, named: str) -> "PlanFile":
        """Checks that it can be written, before anything is spent on a plan. Raises SettingsError."""
        try:
            path = _resolved(named)
            target = cls(path)
            target._read_old()
            if not path.parent.is_dir():
                raise FileNotFoundError(2, os.strerror(2))
            is_writable = os.access(path.parent, os.W_OK | os.X_OK) and (not path.exists() or os.access(path, os.W_OK))
            if not is_writable:
                raise PermissionError(13, os.strerror(13))
        except (OSError, ValueError) as error:
            raise _unwritable(named, error) from error
        return target

    def write(self, plan: PlanView) -> None:
        """Whole or not at all. Raises SettingsError."""
        from paicli.plan.stored import stored_plan  # networkx costs 170 ms at start-up, and a plan has loaded it by now

        try:
            replace_file(self.path.parent, (self.path.name,), stored_plan(plan).encode("utf-8"), was=self._read_old())
        except OSError as error:
            raise _unwritable(str(self.path), error) from error

    def _read_old(self) -> FileContents | None:
        try:
            return read_contents(self.path.parent, (self.path.name,), _MAX_BYTES)
        except FileNotFoundError:
            return None


def read_stored_plan(named: str, texts: Texts) -> str:
    """The file's text, checked like a plan of the model's. Raises SettingsError with file, position and rule."""
    from paicli.plan.parser import parse_stored_plan  # networkx costs 170 ms at start-up

    try:
        path = _resolved(named)
        text = read_contents(path.parent, (path.name,), _MAX_BYTES).raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise SettingsError("cli.file_unreadable", path=named, what="not UTF-8") from error
    except (OSError, ValueError) as error:
        raise SettingsError("cli.file_unreadable", path=named, what=_reason(error)) from error
    try:
        parse_stored_plan(text, plan_id="stored")
    except PlanInvalid as error:
        fields = {name: str(value) for name, value in error.fields.items()}
        reason = fault_text(Fault(error.code, tuple(fields.items())), texts)
        if "line" in fields and "column" in fields:
            where = {"line": fields["line"], "column": fields["column"]}
            raise SettingsError("cli.plan_file_invalid_at", path=named, reason=reason, **where) from error
        raise SettingsError("cli.plan_file_invalid", path=named, reason=reason) from error
    return text


def _resolved(named: str) -> Path:
    return Path(os.path.realpath(os.path.expanduser(named)))


def _unwritable(named: str, error: OSError | ValueError) -> SettingsError:
    return SettingsError("cli.file_unwritable", path=named, what=_reason(error))


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, NotRegular):
        return str(error.kind.value)
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
