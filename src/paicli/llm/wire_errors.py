"""What went wrong on the wire, as the error tree has it: each error says what to do, in fields, and never the key.

Pure functions from a status, a body or an exception to an LlmError. Tables at the top hold what providers call things.
"""

import json
import re
import ssl
from collections.abc import Iterator
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple, cast

import httpx

from paicli.core.errors import (
    ContextTooLong,
    LlmError,
    LlmRateLimited,
    LlmRejected,
    LlmTimeout,
    LlmUnreachable,
)
from paicli.core.masking import SecretMasker
from paicli.core.unicode import clipped, well_formed
from paicli.llm.network import NO_HTTP

_DETAIL_LIMIT = 300
_TOO_LONG = re.compile(
    r"context_length_exceeded|exceed_context_size|maximum context length|context (?:size|window|length)"
    r"|prompt is too long|input (?:is )?too long|too many (?:input )?tokens|超出?.{0,6}(?:上下文|最大长度)|Prompt 超长",
    re.IGNORECASE,
)
_QUOTA = re.compile(
    r"insufficient_quota|exceeded_current_quota|insufficient.?balance|billing_(?:not_active|hard_limit)|out of credits"
    r"|欠费|余额不足",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"invalid|bad.?request|not.?found|authentication|permission|unauthorized|unsupported", re.IGNORECASE
)
_OVERLOADED = re.compile(r"overload|rate.?limit|too.?many.?requests|capacity", re.IGNORECASE)
_NO_TLS = {"WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "HTTP_REQUEST", "UNKNOWN_PROTOCOL", "PACKET_LENGTH_TOO_LONG"}
"""What OpenSSL calls an answer that is no TLS record."""
_NO_HTTP = re.compile(rf"{NO_HTTP}|illegal (?:request|status|header) line|Receive buffer too long")
"""How httpcore and h11 call a head that is none."""
_CODES = {401: "llm.key_refused", 402: "llm.quota_spent", 403: "llm.forbidden", 404: "llm.not_found"}
_TRY_AGAIN = {408, 409, 425}
_CONTROL = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|[\x00-\x1f\x7f-\x9f]+")
_SPACES = re.compile(r"\s+")


class Endpoint(NamedTuple):
    """Who was asked, as errors name it."""

    provider: str
    model: str
    url: httpx.URL
    key_variables: str
    """Environment variables that hold the key, for the hint."""
    masker: SecretMasker

    @property
    def shown_url(self) -> str:
        """Without credentials and query."""
        return str(self.url.copy_with(userinfo=b"", query=None, fragment=None))

    def fields(self, detail: str = "") -> dict[str, Any]:
        words = shown_words(detail, self.masker)
        return {
            "provider": self.provider,
            "model": self.model,
            "url": self.shown_url,
            "keys": self.key_variables,
            "detail": words,
            "said": f": {words}" if words else "",
        }


def shown_words(text: str, masker: SecretMasker) -> str:
    """A stranger's text on one line: masked, without control sequences, at most 300 characters."""
    plain = _CONTROL.sub(" ", well_formed(text))
    return clipped(masker.mask(_SPACES.sub(" ", plain).strip()), _DETAIL_LIMIT)


def error_of_status(
    endpoint: Endpoint, status: int, *, content_type: str, body: bytes, retry_after_s: float | None = None
) -> LlmError:
    """The error of a reply that is none of the 2xx."""
    parsed = _parsed(body)
    is_page = "html" in content_type or body.lstrip()[:1] == b"<"
    words = _message_in(parsed) or ("" if is_page else body.decode("utf-8", "replace"))
    known = f"{words} {json.dumps(parsed)}" if parsed is not None else words
    fields: dict[str, Any] = {**endpoint.fields(words), "content_type": content_type or "-"}
    if status < 400:
        return LlmRejected("llm.redirected", status=status, **fields)
    if status == 402 or (status in {403, 429} and _QUOTA.search(known)):
        return LlmRejected("llm.quota_spent", status=status, **fields)
    # A proxy's 413 knows no tokens; what helps is the same: a smaller request.
    if status == 413 or (status in {400, 422, 500} and _TOO_LONG.search(known)):
        return ContextTooLong("llm.context_too_long", status=status, **fields)
    if status in {429, 529}:
        return LlmRateLimited("llm.rate_limited", status=status, retry_after_s=retry_after_s, **fields)
    if status >= 500 or status in _TRY_AGAIN:
        return LlmUnreachable("llm.server_failed", status=status, retry_after_s=retry_after_s, **fields)
    return LlmRejected(_CODES.get(status, "llm.bad_request"), status=status, **fields)


def error_in_stream(endpoint: Endpoint, chunk: Any, *, event: str = "message") -> LlmError | None:
    """The error that a 200 stream or JSON body carries, None when it carries none."""
    body = cast("dict[str, Any]", chunk) if isinstance(chunk, dict) else {}
    nothing: dict[str, Any] = {}
    choice = next(_dicts(body.get("choices")), nothing)
    said = body.get("error") or choice.get("error")
    is_error = event == "error" or body.get("type") == "error" or body.get("object") == "error"
    if not said and not is_error and choice.get("finish_reason") != "error":
        return None
    error = said or {name: value for name, value in body.items() if name not in {"choices", "object"}}
    words = _message_in({"error": error})
    named = cast("dict[str, Any]", error) if isinstance(error, dict) else {}
    kind = f"{named.get('type')} {named.get('code')}"
    fields: dict[str, Any] = {**endpoint.fields(words), "content_type": "text/event-stream"}
    code = named.get("code")
    if _TOO_LONG.search(f"{kind} {words}"):
        return ContextTooLong("llm.context_too_long", **fields)
    if isinstance(code, int) and 400 <= code < 600:
        raw = json.dumps(error, default=str).encode()
        return error_of_status(endpoint, code, content_type="text/event-stream", body=raw)
    if _QUOTA.search(f"{kind} {words}"):
        return LlmRejected("llm.stream_error", **fields)
    if _OVERLOADED.search(f"{kind} {words}"):
        return LlmRateLimited("llm.stream_error", **fields)
    return (LlmRejected if _REFUSED.search(kind) else LlmUnreachable)("llm.stream_error", **fields)


def error_of_network(
    endpoint: Endpoint, error: httpx.HTTPError, *, connect_timeout_s: float, read_timeout_s: float
) -> LlmError:
    """The error of a connection that was not made, fell silent, or broke."""
    fields = endpoint.fields(str(error))
    match error:
        case httpx.ConnectTimeout():
            return LlmTimeout("llm.connect_timeout", seconds=f"{connect_timeout_s:g}", **fields)
        case httpx.TimeoutException():
            return LlmTimeout("llm.silent", seconds=f"{read_timeout_s:g}", **fields)
        case httpx.ProxyError():
            return LlmUnreachable("llm.proxy_failed", **fields)
        case httpx.ConnectError():
            if any(isinstance(cause, ssl.SSLCertVerificationError) for cause in _causes(error)):
                return LlmRejected("llm.certificate", **fields)
            if any(isinstance(cause, ssl.SSLError) and cause.reason in _NO_TLS for cause in _causes(error)):
                return LlmRejected("llm.not_tls", **fields)
            return LlmUnreachable("llm.unreachable", **fields)
        case httpx.RemoteProtocolError() if _NO_HTTP.match(str(error)):
            return LlmRejected("llm.not_http", **fields)
        case _:
            return LlmUnreachable("llm.stream_cut", **fields)


def retry_after_of(headers: httpx.Headers, *, now: float) -> float | None:
    """The wait in seconds that a server asks for, by number or date; None when it asks for none one can read.

    `now`: seconds since the epoch.
    """
    milliseconds = _number(headers.get("retry-after-ms", ""))
    if milliseconds is not None:
        return milliseconds / 1000
    wish = headers.get("retry-after", "").strip()
    seconds = _number(wish)
    if seconds is not None:
        return seconds
    try:
        return max(0.0, parsedate_to_datetime(wish).timestamp() - now)
    except (ValueError, TypeError, OverflowError):
        return None


def _number(text: str) -> float | None:
    """A plain number of at least 0 ("-5", "nan" and "inf" are none)."""
    return float(text) if re.fullmatch(r"\d{1,12}(\.\d{1,6})?", text.strip(), re.ASCII) else None


def _parsed(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _message_in(parsed: Any) -> str:
    """The sentence for people in an error body, wherever the provider put it."""
    if not isinstance(parsed, dict):
        return ""
    body = cast("dict[str, Any]", parsed)
    error = body.get("error")
    if isinstance(error, str):
        return error
    inner = cast("dict[str, Any]", error) if isinstance(error, dict) else body
    for name in ("message", "detail", "msg", "error_msg", "type"):
        if value := inner.get(name):
            return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return ""


def _dicts(value: Any) -> Iterator[dict[str, Any]]:
    items = cast("list[Any]", value) if isinstance(value, list) else []
    return (cast("dict[str, Any]", item) for item in items if isinstance(item, dict))


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
