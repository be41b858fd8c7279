"""Goes through a parsed command and all texts inside it, for what reaches out and the URLs it would fetch."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from paicli.policy.command_rules import calls_in
from paicli.policy.outgoing.programs import (
    GIT_WITH_URLS,
    TEXT_HANDLERS,
    asks_a_local_service,
    bare_urls,
    git_verb,
    goes_out,
    has_unknown_goal,
    takes_bare_hosts,
)
from paicli.policy.shell.code import findings_in_code
from paicli.policy.shell.programs import INTERPRETERS, SHELLS, Program, family, name_of
from paicli.policy.shell.script import SimpleCommand, parse
from paicli.policy.shell.source import Unparsable
from paicli.policy.shell.sources import Sources
from paicli.policy.shell.words import HOME, UNKNOWN, WORKING_FOLDER, Word
from paicli.policy.shell.wrappers import inner_commands, shell_texts

_MOST_NESTED = 8
_URL = re.compile(r"[a-z][a-z0-9+.-]*://[^\s'\"<>`|;,)\]\\]+", re.IGNORECASE)
_SCP_LIKE = re.compile(r"(?:[\w.-]+@)?((?:[\w-]+\.)+[\w-]+):(?!//)([\w./~-]+)")
_LOCAL_SCHEMES = ("file://", "unix://", "npipe://", "data:")
_CODE_GOES_OUT = re.compile(
    r"\b(?:urllib|urlopen|requests\.|httpx|aiohttp|http\.client|ftplib|smtplib|socket\.|create_connection|paramiko|"
    r"fetch\(|XMLHttpRequest|https?\.(?:get|request)|net\.connect|axios|Net::HTTP|LWP|open-uri|TCPSocket|IO::Socket|"
    r"file_get_contents\(\s*['\"]https?|curl_init|fsockopen|(?:import|from)\s+requests\b|"
    r"(?:require\(|from|import\()\s*['\"](?:node:)?(?:net|dns|https?|http2|dgram|tls|socket)['\"])"
    r"|/dev/(?:tcp|udp)/|/inet[46]?/"
)


class Outgoing(NamedTuple):
    """What the text of a command tells about the network."""

    calls: tuple[str, ...] = ()
    """The simple commands that go out, as written."""
    local_calls: tuple[str, ...] = ()
    """Those that ask a service of this machine."""
    urls: tuple[str, ...] = ()
    """URLs that programs would be handed, in their order, each once; of a git remote as https."""
    unknown_urls: tuple[str, ...] = ()
    """Calls that go where only running them would tell."""
    unknown: str = ""
    """A part of which nothing can be known: it may go out."""
    is_unparsed: bool = False

    @property
    def brings_content(self) -> bool:
        """Whether what it prints comes from elsewhere: another machine, or a service of this one."""
        return bool(self.calls or self.local_calls)


@lru_cache(maxsize=64)
def read_outgoing(command: str) -> Outgoing:
    """Of every simple command in it, in wrappers and handed-on texts too."""
    reading = _Reading()
    reading.read(command, 0)
    return Outgoing(
        tuple(dict.fromkeys(reading.calls)),
        tuple(dict.fromkeys(reading.local_calls)),
        tuple(dict.fromkeys(reading.urls)),
        tuple(dict.fromkeys(reading.unknown_urls)),
        reading.unknown,
        reading.is_unparsed,
    )


class _Reading:
    """One command, with all it hands on."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.local_calls: list[str] = []
        self.urls: list[str] = []
        self.unknown_urls: list[str] = []
        self.unknown = ""
        self.is_unparsed = False

    def read(self, text: str, depth: int) -> None:
        try:
            script = parse(text)
        except Unparsable:
            self.is_unparsed = True
            return
        if depth > _MOST_NESTED:
            self.unknown = self.unknown or text
            return
        sources = Sources(script)
        for simple in script.commands:
            self._read_simple(simple, sources, depth)

    def _read_simple(self, simple: SimpleCommand, sources: Sources, depth: int) -> None:
        if any(each.target.text.startswith(("/dev/tcp/", "/dev/udp/")) for each in simple.redirects):
            self.calls.append(simple.source)
            self.unknown_urls.append(simple.source)
        fed = _fed(simple.words)
        for call in calls_in(simple.words):
            if not call or UNKNOWN in call[0].text:
                self.unknown = self.unknown or simple.source
                continue
            self._read_call(call, simple, is_fed=tuple(call) in fed)
            for program in shell_texts(call):
                for given in _texts_of(program, simple, sources):
                    self._read_program(program, given, simple, depth=depth)

    def _read_call(self, call: Sequence[Word], simple: SimpleCommand, *, is_fed: bool) -> None:
        is_outgoing = goes_out(call)
        if is_outgoing:
            self.calls.append(simple.source)
            if is_fed or has_unknown_goal(call, UNKNOWN):
                self.unknown_urls.append(simple.source)
        elif asks_a_local_service(call):
            self.local_calls.append(simple.source)
        if not is_outgoing and not _may_fetch(call):
            return
        self.urls.extend(url for word in call[1:] for url in _urls_in(word.text))
        self.urls.extend(url for assigned in simple.assignments for url in _urls_in(assigned.value.text))
        if takes_bare_hosts(call):
            self.urls.extend(f"http://{text}" for text in bare_urls(call) if UNKNOWN not in text)
        if name_of(call) == "git":
            self.urls.extend(url for word in call[1:] for url in _scp_url(word.text))

    def _read_program(self, program: Program, given: Word | None, simple: SimpleCommand, *, depth: int) -> None:
        if given is None or given.text == UNKNOWN:
            self.unknown = self.unknown or simple.source
            return
        text = given.text.replace(HOME, "$HOME").replace(WORKING_FOLDER, "$PWD").replace(UNKNOWN, "$__")
        if program.is_shell:
            self.read(text, depth + 1)
            return
        for started in findings_in_code(program.runner, text).started:
            self.read(started, depth + 1)
        if family(program.runner) in INTERPRETERS or "/inet" in text:
            urls = list(_urls_in(given.text))
            self.urls.extend(urls)
            if urls or _CODE_GOES_OUT.search(text):
                self.calls.append(simple.source)


def _texts_of(program: Program, simple: SimpleCommand, sources: Sources) -> list[Word | None]:
    """The code itself; None for code that stands nowhere in the text. A script file is no such code."""
    if program.text is not None:
        return [program.text]
    if not program.is_from_input or (not program.is_shell and program.runner not in INTERPRETERS):
        return []
    inputs = [redirect for redirect in simple.redirects if redirect.operator in {"<", "<<", "<<<"}]
    if inputs:
        return [] if inputs[-1].operator == "<" else [inputs[-1].target]
    if simple.pipe is None:
        return []
    printed = sources.printed_text(simple.pipe)
    if printed is not None:
        return [Word(printed)]
    return [] if sources.are_local_files(simple.pipe) else [None]


def _fed(words: Sequence[Word]) -> list[tuple[Word, ...]]:
    """Calls that get their arguments from what a wrapper reads (xargs)."""
    return [inner.words for call in calls_in(words) if call for inner in inner_commands(call) if inner.takes_input]


def _may_fetch(call: Sequence[Word]) -> bool:
    name = name_of(call)
    if name == "git":
        return git_verb(call) in GIT_WITH_URLS or any("://" in word.text for word in call[1:3] if word.text != "-m")
    return name not in TEXT_HANDLERS and name not in SHELLS and family(name) not in INTERPRETERS - {"deno", "bun"}


def _urls_in(text: str) -> Iterator[str]:
    """Every URL in an argument, its unknown part cut off; a repository's as https."""
    if "://" not in text:
        return
    for match in _URL.finditer(text):
        url = match[0]
        if url.lower().startswith(_LOCAL_SCHEMES) or UNKNOWN in url:
            continue
        scheme, _, rest = url.partition("://")
        is_repository = scheme.lower() in {"ssh", "git", "git+ssh", "git+https", "git+http"}
        yield f"https://{rest.rpartition('@')[2] if 'ssh' in scheme else rest}" if is_repository else url


def _scp_url(text: str) -> Iterator[str]:
    """`git@host:path` as the https URL of the same repository."""
    match = _SCP_LIKE.fullmatch(text)
    if match is not None:
        yield f"https://{match[1]}/{match[2].removeprefix('/')}"
