"""From an exception to data that may travel: events and results carry faults, not exceptions."""

from enum import StrEnum
from typing import NamedTuple

from paicli.core.errors import LlmError, PaiError
from paicli.core.masking import SecretMasker
from paicli.core.unicode import clipped, well_formed

_FIELD_LIMIT = 2_000
"""Characters of one field: a server may send a whole page as its error."""

UNEXPECTED = "error.unexpected"


class Fault(NamedTuple):
    """An error as data: a catalogue code (table `screen`) and the fields of its template."""

    code: str
    fields: tuple[tuple[str, str], ...] = ()
    is_retryable: bool = False
    """The model could not be reached: the same request may work later (exit status 75)."""

    @classmethod
    def of(cls, code: str, /, **fields: object) -> "Fault":
        """`fields` as text, in their order."""
        return cls(code, tuple((name, str(value)) for name, value in fields.items()))


class Verdict(StrEnum):
    """What an examination found."""

    OK = "ok"
    WARN = "warn"
    """Works, less well than it could."""
    BAD = "bad"
    """Must be mended before paicli can work."""


class Finding(NamedTuple):
    """One thing that was looked at: its text says what was found and what to do."""

    verdict: Verdict
    what: Fault


def fault_of(error: BaseException, masker: SecretMasker) -> Fault:
    """The error's code and fields as text, masked, each field at most 2,000 characters.

    What is no PaiError becomes `error.unexpected` with the exception's type and text.
    """
    if not isinstance(error, PaiError):
        return Fault(UNEXPECTED, _as_text({"kind": type(error).__name__, "what": str(error)}, masker))
    is_retryable = isinstance(error, LlmError) and error.retryable
    return Fault(error.code, _as_text(error.fields, masker), is_retryable)


def _as_text(fields: dict[str, object], masker: SecretMasker) -> tuple[tuple[str, str], ...]:
    return tuple((name, clipped(masker.mask(well_formed(str(value))), _FIELD_LIMIT)) for name, value in fields.items())
