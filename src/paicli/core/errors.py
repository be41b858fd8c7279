"""The error tree: who acts on it decides the branch. Errors carry a catalogue code and fields, not prose."""

from typing import Any


class PaiError(Exception):
    """Root of every error paicli raises on purpose.

    `code` is a key of the catalogue (table `screen` for people, `model` for a model); `fields` fill its template.
    """

    def __init__(self, code: str, /, **fields: Any) -> None:
        super().__init__(code, fields)
        self.code = code
        self.fields: dict[str, Any] = fields

    def __str__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self.fields.items())
        return f"{self.code}({shown})"


class UserFacingError(PaiError):
    """The user can fix it; shown in one line without a traceback."""


class SettingsError(UserFacingError):
    """Wrong usage or configuration; the process exits with 2."""

    others: "tuple[SettingsError, ...]" = ()
    """What else is wrong and was found with it."""


class SessionNotFound(UserFacingError):
    """No stored session answers to the given id."""


class PlanInvalid(UserFacingError):
    """A plan breaks one of the parser's rules; `code` names the rule."""


class ModelFacingError(PaiError):
    """Becomes a ToolResult: the model reads it and adapts."""


class ToolInputInvalid(ModelFacingError):
    """The call's arguments are no JSON or do not fit the tool's schema."""


class ToolFailed(ModelFacingError):
    """The tool understood the call and could not do it. `kind` is one of `ErrorKind`."""

    def __init__(self, code: str, /, *, kind: str = "", **fields: Any) -> None:
        super().__init__(code, **fields)
        self.kind = kind


class PolicyDenied(ModelFacingError):
    """A guard, the turn's policy, a review or the person said no."""


class LlmError(PaiError):
    """A model request ended without a usable reply; the caller decides on a retry."""

    retryable = False

    def __init__(
        self, code: str, /, *, status: int | None = None, retry_after_s: float | None = None, **fields: Any
    ) -> None:
        super().__init__(code, **({"status": status} if status is not None else {}), **fields)
        self.status = status
        self.retry_after_s = retry_after_s


class LlmUnreachable(LlmError):
    """Nobody answered, the connection broke, the stream was cut, or the server failed (5xx)."""

    retryable = True


class LlmTimeout(LlmError):
    """Connect, silence between bytes, or the whole request took too long."""

    retryable = True


class LlmRateLimited(LlmError):
    """429 or an overload; `retry_after_s` is the server's wish in seconds, None when it named none."""

    retryable = True


class LlmRejected(LlmError):
    """The server understood and refused (400, 401, 403, 404, spent quota) or answered something that is no reply."""


class ContextTooLong(LlmRejected):
    """The request does not fit the model's window."""


class ReplayDiverged(LlmError):
    """A recorded conversation has no reply left for this request."""


class TurnInterrupted(PaiError):
    """Ends the turn cleanly."""


class TurnCancelled(TurnInterrupted):
    """The person cancelled."""

    def __init__(self) -> None:
        super().__init__("turn.cancelled")


def reason_of(error: OSError) -> str:
    """What the system says of it, without the path."""
    return error.strerror or str(error)
