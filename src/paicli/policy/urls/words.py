"""Which URLs stand in the person's words."""

import re

from paicli.policy.urls.normalise import normalise

_URL = re.compile(r"https?://[^\s<>\"'`|\\^{}]+", re.IGNORECASE)
_TRAILING = ".,;:!?)]}*_"


def urls_in(words: str) -> tuple[str, ...]:
    """In their order, each once."""
    if "://" not in words:
        return ()
    found = [match[0].rstrip(_TRAILING) for match in _URL.finditer(words)]
    return tuple(dict.fromkeys(url for url in found if normalise(url) is not None))
