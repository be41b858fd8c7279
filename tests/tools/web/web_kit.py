"""What the tests of the web tools share: a guard that allows loopback, names that resolve as told, a context."""

import socket
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from paicli.core.cancellation import CancellationToken
from paicli.policy.network.guard import AllowedHost, NetworkGuard
from paicli.policy.path_guard import PathGuard
from paicli.tools.builtin.web.web_fetch import WebFetch
from paicli.tools.ledger import FileLocks, ReadLedger
from paicli.tools.tool import ToolContext
from paicli.tools.web.fetching import PageFetcher
from paicli.tools.web.network import Address
from paicli.tools.web.pages import PageReader
from paicli.tools.web.rate import FetchRate


class Names:
    """A name server: each name has a list of answers, given out in turn, the last one for ever."""

    def __init__(self, names: Mapping[str, Sequence[Sequence[str]]]) -> None:
        self._names = {name: list(answers) for name, answers in names.items()}
        self.asked: list[str] = []

    def __call__(self, host: str, port: int) -> list[Address]:
        self.asked.append(host)
        answers = self._names.get(host)
        if answers is None:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        addresses = answers.pop(0) if len(answers) > 1 else answers[0]
        return [_address(text, port) for text in addresses]


def _address(text: str, port: int) -> Address:
    return Address(socket.AF_INET6, (text, port, 0, 0)) if ":" in text else Address(socket.AF_INET, (text, port))


def allowing(*entries: str) -> NetworkGuard:
    parsed = [AllowedHost.parse(entry) for entry in entries]
    assert None not in parsed
    return NetworkGuard(entry for entry in parsed if entry is not None)


LOOPBACK_ALLOWED = allowing("127.0.0.1")


def fetching_tool(guard: NetworkGuard = LOOPBACK_ALLOWED, *, rate: FetchRate | None = None, **options: Any) -> WebFetch:
    return WebFetch(reader=PageReader(PageFetcher(guard, **options), rate=rate))


def web_context(
    root: Path, *, trusts_url: Callable[[str], bool] = lambda url: True, cancel: CancellationToken | None = None
) -> ToolContext:
    return ToolContext(
        "react",
        "call_1",
        cancel or CancellationToken(),
        PathGuard(root),
        ReadLedger(),
        FileLocks(),
        trusts_url=trusts_url,
    )


def run_fetch(tool: WebFetch, url: str, context: ToolContext) -> Any:
    return tool.run(tool.arguments_model.model_validate({"url": url}), context)
