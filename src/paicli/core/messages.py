"""What is said to a model and what it says back. Light immutable values; nothing here knows a wire format."""

from enum import StrEnum
from typing import Any, NamedTuple

from paicli.core.actors import REACT
from paicli.core.faults import Fault


class ToolEffect(StrEnum):
    """What a tool does to the world; only READ (and NETWORK reads) may run side by side."""

    READ = "read"
    SESSION = "session"
    """Changes nothing but the session (its list, what it has heard of a command, what it asks): order matters."""
    WRITE = "write"
    EXECUTE = "execute"
    NETWORK = "network"


class ToolDeclaration(NamedTuple):
    """A tool as the model sees it."""

    name: str
    description: str
    parameters: dict[str, Any]
    """JSON schema of the arguments, an object schema."""


class ToolCall(NamedTuple):
    """One call as the model wrote it."""

    id: str
    name: str
    arguments: str
    """JSON text, unparsed; "{}" where the model sent nothing."""


class Usage(NamedTuple):
    """Tokens of one request, as the server counted them."""

    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int = 0

    def plus(self, other: "Usage") -> "Usage":
        return Usage(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


class Price(NamedTuple):
    """US dollars per million tokens."""

    input_usd: float
    cached_input_usd: float
    output_usd: float

    def cost_usd(self, usage: Usage) -> float:
        """What one request costs; cached tokens are part of the input tokens, reasoning tokens of the output."""
        fresh = max(usage.input_tokens - usage.cached_tokens, 0)
        cost = fresh * self.input_usd + usage.cached_tokens * self.cached_input_usd
        return (cost + usage.output_tokens * self.output_usd) / 1_000_000


class FinishReason(StrEnum):
    """Why the model stopped; OTHER for a terminal signal that is none of the known ones."""

    STOP = "stop"
    TOOL_CALLS = "tool_calls"
    LENGTH = "length"
    CONTENT_FILTER = "content_filter"
    OTHER = "other"


class SystemMessage(NamedTuple):
    content: str


class Image(NamedTuple):
    """A picture that the person attached."""

    path: str
    """As shown."""
    media_type: str
    """Like "image/png"."""
    base64: str
    """The file's bytes; records leave them out, and what comes of a record has none."""
    size_bytes: int
    """Of the file."""


class UserMessage(NamedTuple):
    content: str
    images: tuple[Image, ...] = ()


class AssistantMessage(NamedTuple):
    content: str = ""
    thinking: str = ""
    tool_calls: tuple[ToolCall, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Neither text nor calls: no provider accepts it."""
        return not self.content and not self.tool_calls


class ToolMessage(NamedTuple):
    call_id: str
    name: str
    content: str


Message = SystemMessage | UserMessage | AssistantMessage | ToolMessage


class ResponseFormat(StrEnum):
    TEXT = "text"
    JSON_OBJECT = "json_object"


class ChatRequest(NamedTuple):
    """One request to a model."""

    messages: tuple[Message, ...]
    tools: tuple[ToolDeclaration, ...] = ()
    thinking: bool = True
    response_format: ResponseFormat = ResponseFormat.TEXT
    max_tokens: int | None = None
    actor: str = REACT
    """Who asks: as in `core.actors`, a task's id, or "task_1/review"; recordings are matched by it."""
    reply_schema: dict[str, Any] | None = None
    """The JSON schema of a JSON_OBJECT reply: sent where the provider holds the model to it."""


class ChatResponse(NamedTuple):
    """One complete reply: it exists only after the stream's terminal signal."""

    content: str
    thinking: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    finish_reason: FinishReason = FinishReason.STOP
    usage: Usage | None = None


class TextDelta(NamedTuple):
    text: str


class ThinkingDelta(NamedTuple):
    text: str


class ReplyRestarted(NamedTuple):
    """What was streamed of this reply is void: the request is sent again."""


class RetryScheduled(NamedTuple):
    """The request failed and will be tried again."""

    attempt: int
    """The try that comes next, from 2."""
    max_attempts: int
    wait_s: float
    code: str
    """Catalogue code of the error."""
    detail: str
    """The server's or the network's own words, masked."""


Delta = TextDelta | ThinkingDelta | ReplyRestarted | RetryScheduled


class ModelCapabilities(NamedTuple):
    """What a client's model can do."""

    window_tokens: int = 32_000
    max_output_tokens: int | None = None
    tools: bool = True
    thinking: bool = False
    vision: bool = False
    json_mode: bool = False
    caching: bool = False
    price: Price | None = None
    """None: not known."""


class ErrorKind(StrEnum):
    """Kinds of tool error that the repetition guard counts."""

    TIMEOUT = "timeout"
    RATE_LIMIT = "rate_limit"
    NETWORK = "network"
    AUTH = "auth"
    PERMISSION = "permission"
    NOT_FOUND = "not_found"
    INVALID_ARGUMENT = "invalid_argument"
    EXIT_CODE = "exit_code"


class ToolOutcome(StrEnum):
    OK = "ok"
    FAILED = "failed"
    DENIED = "denied"
    CANCELLED = "cancelled"


class FileRead(NamedTuple):
    path: str
    first_line: int
    line_count: int
    encoding: str = "utf-8"


class FileWritten(NamedTuple):
    path: str
    diff: str
    """Unified diff, at most 2,000 lines."""
    added: int
    removed: int
    is_new: bool = False
    is_corrected: bool = False
    """The old text matched only after folding."""


class Listing(NamedTuple):
    """Result of list_dir, glob_files or grep_code."""

    what: str
    """list | glob | grep"""
    found: int
    is_cut: bool = False


class CommandRun(NamedTuple):
    command: str
    exit_code: int | None
    """None while it runs in the background or was cancelled; negative: the signal that ended it."""
    duration_s: float
    stage_codes: tuple[int, ...] = ()
    timed_out: bool = False
    background_id: str = ""
    tail: str = ""
    """Last lines of its output."""


class TodoItem(NamedTuple):
    text: str
    status: str
    """pending | in_progress | completed"""


class TodoList(NamedTuple):
    items: tuple[TodoItem, ...]


class ProjectCreated(NamedTuple):
    path: str
    kind: str
    files: tuple[str, ...]


class PageFetched(NamedTuple):
    """Result of web_fetch."""

    url: str
    """After redirects."""
    status: int
    size_bytes: int
    """Of what came, decompressed."""
    title: str = ""
    is_cut: bool = False
    """Not all of it came: too large, broken off, too slow."""


class WebSearched(NamedTuple):
    """Result of web_search."""

    query: str
    found: int
    provider: str


ToolDetail = FileRead | FileWritten | Listing | CommandRun | TodoList | ProjectCreated | PageFetched | WebSearched


class ToolResult(NamedTuple):
    """What a call came to."""

    content: str
    """For the model."""
    detail: ToolDetail | None = None
    """For a ui; None where `content` says it all."""
    outcome: ToolOutcome = ToolOutcome.OK
    error_kind: str = ""
    """An `ErrorKind`, else the error's text; empty when nothing failed."""
    files_read: tuple[str, ...] = ()
    """Real paths."""
    files_written: tuple[str, ...] = ()
    """Real paths."""
    found_urls: tuple[str, ...] = ()
    """What a web search found, in its order: trusted from the actor's next step on."""
    fault: Fault | None = None
    """Why it failed or was denied, for a person: `content` is worded for a model."""
    is_waiting: bool = False
    """It waited for something that still goes on: the same call again is no repetition."""
