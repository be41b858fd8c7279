"""What the person's own words of a turn allow its agents to do, and which URLs they may fetch."""

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from paicli.core.errors import PolicyDenied
from paicli.core.messages import ToolDeclaration, ToolEffect
from paicli.policy.rules import COMMAND_TOOL, SERVER_TOOLS
from paicli.policy.urls.normalise import is_loopback, normalise
from paicli.policy.urls.words import urls_in
from paicli.policy.verdict import CommandVerdict, VerdictKind
from paicli.policy.words.restriction import Restriction, asks_to_remember, restrictions_in

if TYPE_CHECKING:
    from paicli.policy.outgoing.reading import Outgoing

FETCH_TOOL = "web_fetch"
MEMORY_TOOL = "save_memory"

_ALLOWED = CommandVerdict(VerdictKind.ALLOWED)
_KEPT = frozenset({COMMAND_TOOL, "command_output", "stop_command"})
"""Stay under read_only: commands are looked at one by one, and those that run already may be ended."""

EffectOf = Callable[[str], ToolEffect | None]
"""What a tool does; None for one that does not exist."""


class HiddenBy(StrEnum):
    """Why a model is not offered a tool."""

    NO_NETWORK = "no_network"
    READ_ONLY = "read_only"
    NO_COMMANDS = "no_commands"
    NO_TRUSTED_URL = "no_trusted_url"


class OutsideContent:
    """What brought content from outside (web, MCP, a fetched file) into a conversation: it stays. Thread-safe."""

    def __init__(self) -> None:
        self._tools: tuple[str, ...] = ()

    @property
    def tools(self) -> tuple[str, ...]:
        """The tools that brought it, in their order; empty: none has."""
        return self._tools

    def note(self, tool: str) -> None:
        if tool not in self._tools:
            self._tools = (*self._tools, tool)

    def go_back_to(self, tools: tuple[str, ...]) -> None:
        """What came later was taken out of the conversation."""
        self._tools = tools


class TrustedUrl(NamedTuple):
    url: str
    """As it was found."""
    source: str
    """user | web_search | dependency"""


class _Words:
    """What the person said in a turn: shared by all policies of the turn."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.restrictions: tuple[Restriction, ...] = ()
        self.urls: dict[str, TrustedUrl] = {}
        self.asks_to_remember = False


class TurnToolPolicy:
    """Built anew for each turn from the person's own words; it can only tighten. Thread-safe."""

    def __init__(self, *, root: Path | None = None, outside: OutsideContent | None = None) -> None:
        """`root`: where commands may read under read_only. `outside`: of the conversation this policy is for."""
        self._root = root
        self._outside = outside or OutsideContent()
        self._words = _Words()
        self._own: dict[str, TrustedUrl] = {}
        """By normalised URL, as are those of the words: found by this agent, or by what it depends on."""
        self._found: dict[str, TrustedUrl] = {}
        """Trusted from the next step on."""

    def tighten(self, words: str) -> tuple[Restriction, ...]:
        """Adds what these words forbid, for every policy of the turn; returns what is new.

        `words`: what the person typed, and nothing that was read for them.
        """
        found = restrictions_in(words)
        shared = self._words
        with shared.lock:
            new = tuple(each for each in found if each not in shared.restrictions)
            shared.restrictions += new
        return new

    def trust_words(self, words: str) -> tuple[str, ...]:
        """Trusts the URLs in the person's words, and hears whether they ask to remember; returns the new URLs."""
        urls = urls_in(words)
        remembers = asks_to_remember(words)
        shared = self._words
        with shared.lock:
            shared.asks_to_remember = shared.asks_to_remember or remembers
            return _added(shared.urls, urls, "user")

    @property
    def restrictions(self) -> tuple[Restriction, ...]:
        """In the order in which they were said."""
        return self._words.restrictions

    @property
    def trusted_urls(self) -> tuple[TrustedUrl, ...]:
        """The person's first."""
        with self._words.lock:
            return (*self._words.urls.values(), *self._own.values())

    @property
    def own_urls(self) -> tuple[TrustedUrl, ...]:
        """Those that only this agent may fetch."""
        with self._words.lock:
            return tuple(self._own.values())

    @property
    def outside_tools(self) -> tuple[str, ...]:
        """What brought content from outside into the conversation."""
        return self._outside.tools

    def fork_with_trusted_urls(self, urls: Iterable[str]) -> "TurnToolPolicy":
        """A task's own copy: the person's words reach it, whenever they are said; what it finds is its own."""
        fork = TurnToolPolicy(root=self._root, outside=self._outside)
        fork._words = self._words
        _added(fork._own, urls, "dependency")
        return fork

    def trusts(self, url: str) -> bool:
        """Whether this agent may fetch it now."""
        normalised = normalise(url)
        if normalised is None:
            return False
        with self._words.lock:
            return normalised in self._words.urls or normalised in self._own

    def _trusts_repository(self, url: str) -> bool:
        """As `trusts`; a repository may be named with and without `.git`."""
        bare = url.rstrip("/").removesuffix(".git")
        return self.trusts(url) or self.trusts(bare) or self.trusts(f"{bare}.git")

    def note_found(self, urls: Iterable[str]) -> tuple[str, ...]:
        """A web search of this agent returned them: trusted from the next step on. Returns those that are new."""
        with self._words.lock:
            return _added(self._found, [url for url in urls if not self.trusts(url)], "web_search")

    def begin_step(self) -> None:
        """One more reply of the model is asked for."""
        with self._words.lock:
            self._own.update(self._found)
            self._found.clear()

    def note_outside(self, tool: str) -> None:
        """The tool brought content from outside into the conversation."""
        self._outside.note(tool)

    def note_command(self, command: str) -> None:
        """It ran: one that goes out, or asks a service, brings content from outside."""
        if _outgoing(command).brings_content:
            self._outside.note(COMMAND_TOOL)

    def expose(self, declarations: Sequence[ToolDeclaration], effect_of: EffectOf) -> tuple[ToolDeclaration, ...]:
        """What the model is offered, in the same order."""
        return tuple(each for each in declarations if self.hides(each.name, effect_of(each.name)) is None)

    def hides(self, tool_name: str, effect: ToolEffect | None) -> HiddenBy | None:
        """Why the model is not offered the tool now; None: it is."""
        restrictions = self._words.restrictions
        if Restriction.NO_NETWORK in restrictions and effect is ToolEffect.NETWORK:
            return HiddenBy.NO_NETWORK
        if Restriction.READ_ONLY in restrictions and _may_change(tool_name, effect):
            return HiddenBy.READ_ONLY
        if Restriction.NO_COMMANDS in restrictions and tool_name == COMMAND_TOOL:
            return HiddenBy.NO_COMMANDS
        if tool_name == FETCH_TOOL and not self._words.urls and not self._own:
            return HiddenBy.NO_TRUSTED_URL
        return None

    def check(self, tool_name: str, effect: ToolEffect | None, values: Mapping[str, Any]) -> CommandVerdict:
        """ALLOWED, or UNPARSED with a reason when a review or a person has to look; raises PolicyDenied.

        `values`: the call's arguments. A refused URL is the error's field `url`.
        """
        hidden = self.hides(tool_name, effect)
        if hidden is not None and hidden is not HiddenBy.NO_TRUSTED_URL:
            raise PolicyDenied(f"policy.turn_{hidden}", tool=tool_name)
        if tool_name == FETCH_TOOL and not self.trusts(str(values.get("url", ""))):
            raise PolicyDenied("policy.url_untrusted", url=str(values.get("url", "")))
        if tool_name == MEMORY_TOOL and not self._words.asks_to_remember:
            if self._outside.tools:
                raise PolicyDenied("policy.memory_after_outside", tools=", ".join(self._outside.tools))
            raise PolicyDenied("policy.memory_unasked")
        if tool_name == COMMAND_TOOL:
            return self.judge_command(str(values.get("command", "")))
        return _ALLOWED

    def judge_command(self, command: str) -> CommandVerdict:
        """What `check` says to a command, and nothing comes of it."""
        hidden = self.hides(COMMAND_TOOL, ToolEffect.EXECUTE)
        if hidden is not None:
            raise PolicyDenied(f"policy.turn_{hidden}", tool=COMMAND_TOOL)
        outgoing = _outgoing(command)
        restrictions = self._words.restrictions
        if Restriction.READ_ONLY in restrictions:
            from paicli.policy.plain_reading import is_plain_reading  # start-up, as above

            if not is_plain_reading(command, root=self._root):
                raise PolicyDenied("policy.turn_writing_command", matched=command)
        if Restriction.NO_NETWORK in restrictions:
            if outgoing.is_unparsed or outgoing.unknown:
                raise PolicyDenied("policy.turn_unknown_command", matched=outgoing.unknown or command)
            if outgoing.calls:
                raise PolicyDenied("policy.turn_network_command", matched=outgoing.calls[0])
        for url in outgoing.urls:
            if not is_loopback(url) and not self._trusts_repository(url):
                raise PolicyDenied("policy.url_untrusted", url=url)
        if outgoing.unknown_urls:
            return CommandVerdict(VerdictKind.UNPARSED, "policy.command_unknown_url", outgoing.unknown_urls[0])
        return _ALLOWED


def _outgoing(command: str) -> "Outgoing":
    # start-up: the shell reading is 8 ms of modules, and no prompt and no first request needs it
    from paicli.policy.outgoing.reading import read_outgoing

    return read_outgoing(command)


def _may_change(tool_name: str, effect: ToolEffect | None) -> bool:
    if effect is ToolEffect.WRITE or (effect is ToolEffect.EXECUTE and tool_name not in _KEPT):
        return True
    # what a foreign tool does is only known where it says that it reads
    return tool_name.startswith(SERVER_TOOLS) and effect not in {ToolEffect.READ, ToolEffect.SESSION}


def _added(to: dict[str, TrustedUrl], urls: Iterable[str], source: str) -> tuple[str, ...]:
    new: list[str] = []
    for url in urls:
        normalised = normalise(url)
        if normalised is not None and normalised not in to:
            to[normalised] = TrustedUrl(url, source)
            new.append(url)
    return tuple(new)
