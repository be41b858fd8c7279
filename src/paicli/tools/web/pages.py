"""A fetched answer as the text that a model reads: what it is, what is missing of it, then its words."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from paicli.core.cancellation import CancellationToken
from paicli.core.catalogue.lookup import model_text
from paicli.core.errors import ToolFailed
from paicli.core.messages import ErrorKind, PageFetched, ToolResult
from paicli.core.unicode import clipped, without_tags
from paicli.policy.network.guard import AllowedHost, NetworkGuard, Target
from paicli.tools.files.access import size_text
from paicli.tools.files.encoding import binary_kind
from paicli.tools.web.charsets import decode_body
from paicli.tools.web.exchange import Answer
from paicli.tools.web.fetching import Fetched, PageFetcher
from paicli.tools.web.hidden import without_controls
from paicli.tools.web.rate import FetchRate

_ERROR_CHARACTERS = 500
_TEXT_TYPES = ("json", "xml", "javascript", "ecmascript", "yaml", "x-sh", "toml", "csv", "graphql", "rtf", "x-www-form")
_BINARY_TYPES = ("image/", "audio/", "video/", "font/", "application/pdf", "application/zip")
_KIND_OF_STATUS = {
    401: ErrorKind.AUTH,
    403: ErrorKind.PERMISSION,
    404: ErrorKind.NOT_FOUND,
    408: ErrorKind.TIMEOUT,
    410: ErrorKind.NOT_FOUND,
    429: ErrorKind.RATE_LIMIT,
}


class PageText(NamedTuple):
    """The words of an answer."""

    text: str
    title: str = ""
    notes: tuple[str, ...] = ()


class PageReader:
    """web_fetch without its arguments: one for a session."""

    def __init__(self, fetcher: PageFetcher, *, rate: FetchRate | None = None) -> None:
        self._rate = rate or FetchRate()
        self._fetcher = fetcher

    def check(self, url: str) -> Target:
        """The URL taken apart. Raises PolicyDenied for what is no plain http or https URL."""
        return self._fetcher.check(url)

    def read(self, url: str, trusts_url: Callable[[str], bool], cancel: CancellationToken) -> ToolResult:
        """The page behind a trusted URL. Raises PolicyDenied, ToolFailed, TurnCancelled."""
        asked = self._fetcher.check(url)
        self._rate.count()
        fetched = self._fetcher.fetch(url, trusts_url, cancel)
        _check_status(fetched)
        page = _page_of(fetched)
        cancel.raise_if_cancelled()
        shown = fetched.target.url
        code = "web.page_url" if shown == asked.url else "web.page_redirected"
        head = [model_text(code, url=shown, asked=asked.url)]
        if page.title:
            head.append(model_text("web.page_title", title=page.title))
        answer = fetched.answer
        head += _cut_notes(answer)
        head += page.notes
        text = page.text or model_text("web.page_empty")
        is_cut = answer.is_cut or answer.is_overdue or bool(answer.broke_off)
        detail = PageFetched(shown, answer.status, len(answer.body), page.title, is_cut)
        return ToolResult("\n".join((*head, "", text)), detail)


def open_page_reader(allowed_hosts: Iterable[AllowedHost]) -> PageReader:
    """`allowed_hosts`: configured exceptions from what the network guard refuses."""
    return PageReader(PageFetcher(NetworkGuard(allowed_hosts)))


def _check_status(fetched: Fetched) -> None:
    """Raises ToolFailed for an answer that says no, with its first words."""
    answer, host = fetched.answer, fetched.target.host
    if 200 <= answer.status < 300:
        return
    kind = _KIND_OF_STATUS.get(answer.status, ErrorKind.NETWORK)
    words = ""
    if answer.body:
        words = " ".join(_page_of(fetched).text.split())
    text = clipped(words, _ERROR_CHARACTERS)
    raise ToolFailed("web.status", kind=kind, host=host, status=answer.status, reason=_retry(answer), text=text)


def _retry(answer: Answer) -> str:
    after = answer.header("retry-after")[:40]
    return f" (Retry-After: {after})" if after and answer.status in {429, 503} else ""


def _page_of(fetched: Fetched) -> PageText:
    answer, url = fetched.answer, fetched.target.url
    if not answer.body:
        return PageText(model_text("web.no_content", host=fetched.target.host, status=answer.status))
    content_type = answer.header("content-type")
    media_type = content_type.partition(";")[0].strip().lower()
    is_whole = not (answer.is_cut or answer.broke_off or answer.is_overdue)
    kind = _binary_name(answer.body, media_type)
    text = None if kind else decode_body(answer.body, content_type, is_whole=is_whole)
    if text is None:
        code = "web.binary" if is_whole else "web.binary_cut"
        size = size_text(_declared_size(answer) if not is_whole else len(answer.body))
        return PageText(
            model_text(code, url=url, kind=kind or media_type or model_text("files.kind_unknown"), size=size)
        )
    if "html" in media_type or (not media_type.startswith("text/") and _looks_like_html(text)):
        return _html(text, url)
    text, tag_count = without_tags(without_controls(text))
    return PageText(text.strip("\n"), notes=_tag_note(tag_count))


def _html(markup: str, url: str) -> PageText:
    # start-up: trafilatura costs 220 ms, and most sessions fetch nothing
    from paicli.tools.web.readable import read_html

    page = read_html(markup, url)
    notes = [model_text("web.page_needs_script")] if page.needs_script else []
    notes += _tag_note(page.tag_count)
    if page.hidden_count:
        notes.append(model_text("web.page_hidden_removed", count=page.hidden_count))
    return PageText(page.text, page.title, tuple(notes))


def _tag_note(count: int) -> tuple[str, ...]:
    return (model_text("web.page_tags_removed", count=count),) if count else ()


def _cut_notes(answer: Answer) -> list[str]:
    notes: list[str] = []
    if answer.is_cut:
        notes.append(model_text("web.page_cut", limit=size_text(len(answer.body))))
    if answer.is_overdue:
        notes.append(model_text("web.page_overdue"))
    if answer.broke_off:
        notes.append(model_text("web.page_broke_off", what=answer.broke_off))
    return notes


def _binary_name(body: bytes, media_type: str) -> str:
    """What it is, where its first bytes or its type say that it is no text; else empty."""
    kind = binary_kind(body)
    if kind:
        return kind
    is_text = media_type.startswith("text/") or any(word in media_type for word in _TEXT_TYPES)
    return media_type if media_type.startswith(_BINARY_TYPES) and not is_text else ""


def _declared_size(answer: Answer) -> int:
    """What the answer says of its size, at least what came."""
    declared = answer.header("content-length")
    is_number = declared.isascii() and declared.isdigit() and len(declared) < 16
    return max(len(answer.body), int(declared) if is_number else 0)


def _looks_like_html(text: str) -> bool:
    start = text[:512].lstrip("\ufeff \t\r\n").lower()
    return start.startswith(("<!doctype html", "<html", "<head", "<body"))
