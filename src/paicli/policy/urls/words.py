"""Which URLs stand in the person's words."""

import re
from collections.abc import Iterator

from paicli.policy.urls.normalise import normalise

_URL = r"(?i:https?)://[^\s<>\"'`|\\^{}，。；：！？、（）【】《》「」『』“”‘’]+"
_BARE = (
    r"(?<![\w@./:-])(?:(?:www\.)(?:[a-z0-9-]+\.)+[a-z]{2,}|(?:[a-z0-9-]+\.)+(?:com|org|edu|gov|cn)(?![\w.-]*\w)|"
    r"(?:[a-z0-9-]+\.)+(?:com|org|net|edu|gov|cn|io|dev|ai|app)(?=/))(?::\d+)?(?:/[\w./~%?=&#+:-]*)?"
)
"""A host without a scheme, where it can't be a file's or a module's name."""
_PLAIN = r"(?i:https?)://[\x21-\x7e]+"
_FIRST_IDEOGRAPH = "\u2e80"
"""From here on text is Chinese, Japanese or Korean: it may follow a host without a blank."""
_TRAILING = ".,;:!?*_~"


def urls_in(words: str) -> tuple[str, ...]:
    """In their order, each once. What follows a URL without a blank in Chinese text may belong to it or not: both."""
    if "." not in words and "://" not in words:
        return ()
    found: dict[str, str] = {}
    for url in _candidates(words):
        normalised = normalise(url)
        if normalised is not None:
            found.setdefault(normalised, url)
    return tuple(found.values())


def _candidates(words: str) -> Iterator[str]:
    for match in re.finditer(f"{_URL}|{_BARE}", words):
        text = _trimmed(match[0])
        if "://" not in text:
            yield from (f"https://{text}", f"http://{text}")
            continue
        plain = re.match(_PLAIN, text)
        if plain is None or len(plain[0]) == len(text):
            yield text
            continue
        has_path = "/" in plain[0].partition("://")[2]
        if not has_path and text[len(plain[0])] < _FIRST_IDEOGRAPH:
            yield text  # `http://bücher.example`: the host goes on
            continue
        yield _trimmed(plain[0])
        # the foreign characters stand behind the host, and no comma parts them from it
        if has_path and plain[0][-1] not in _TRAILING:
            yield text


def _trimmed(text: str) -> str:
    """Without what ends the sentence and not the URL; brackets that were opened in it stay."""
    while text:
        last = text[-1]
        closes = {")": "(", "]": "["}.get(last)
        if last not in _TRAILING and (closes is None or text.count(closes) >= text.count(last)):
            break
        text = text[:-1]
    return text
