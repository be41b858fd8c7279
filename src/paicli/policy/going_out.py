"""Which calls in a command reach out of this machine, and for which URLs. Runs and expands nothing."""

from typing import NamedTuple


class Outgoing(NamedTuple):
    """What the text of a command tells about the network."""

    calls: tuple[str, ...] = ()
    """The simple commands that go out, as written."""
    urls: tuple[str, ...] = ()
    """URLs they would fetch, in their order, each once."""
    unknown_urls: tuple[str, ...] = ()
    """Calls that fetch what only running them would tell."""
    unknown: str = ""
    """A part of which nothing can be known: it may go out."""
    is_unparsed: bool = False


def read_outgoing(command: str) -> Outgoing:
    return Outgoing()
