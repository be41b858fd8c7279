"""One masker for every way out: screen, journal, log, audit, error, export."""

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache

MASK = "***"

_MIN_LENGTH = 6
"""Shorter configured values would mask ordinary words."""
_MIN_ENCODED_LENGTH = 12
"""From this length on a configured value is known in Base64, too."""

_KEY = r"A-Za-z0-9_-"
_SHAPES: tuple[tuple[str, str], ...] = (
    ("sk-", rf"[{_KEY}]{{12,}}"),
    *((f"{kind}_live_", r"[A-Za-z0-9]{10,}") for kind in ("sk", "rk")),
    *((f"{kind}_test_", r"[A-Za-z0-9]{10,}") for kind in ("sk", "rk")),
    *((f"gh{kind}_", r"[A-Za-z0-9]{20,}") for kind in "pousr"),
    ("github_pat_", r"[A-Za-z0-9_]{20,}"),
    *((f"xox{kind}-", r"[A-Za-z0-9-]{10,}") for kind in "abeprs"),
    ("xapp-", r"[A-Za-z0-9-]{10,}"),
    ("AKIA", r"[0-9A-Z]{16}"),
    ("ASIA", r"[0-9A-Z]{16}"),
    ("AIza", rf"[{_KEY}]{{30,}}"),
    *((f"gl{kind}-", rf"[{_KEY}]{{16,}}") for kind in ("pat", "rt", "dt", "ptt")),
    ("hf_", r"[A-Za-z0-9]{20,}"),
    ("npm_", r"[A-Za-z0-9]{30,}"),
    ("pypi-AgE", rf"[{_KEY}]{{30,}}"),
    ("dop_v1_", r"[a-f0-9]{40,}"),
    ("ya29.", rf"[{_KEY}]{{20,}}"),
    ("SG.", rf"[{_KEY}]{{16,}}\.[{_KEY}]{{16,}}"),
    ("tvly-", rf"[{_KEY}]{{16,}}"),
    ("nvapi-", rf"[{_KEY}]{{20,}}"),
    *((start, r"[A-Za-z0-9]{20,}") for start in ("gsk_", "xai-", "pplx-", "whsec_", "lin_api_", "ntn_")),
    ("shpat_", r"[A-Fa-f0-9]{32}"),
    ("ATATT3", rf"[{_KEY}]{{30,}}"),
    ("hvs.", rf"[{_KEY}]{{20,}}"),
    ("dapi", r"[a-f0-9]{32}"),
    ("LTAI", r"[A-Za-z0-9]{16,26}"),
    ("AKID", r"[A-Za-z0-9]{28,36}"),
    ("AGE-SECRET-KEY-1", r"[0-9A-Z]{40,}"),
    ("eyJ", rf"[{_KEY}]{{8,}}\.eyJ[{_KEY}]{{8,}}\.[{_KEY}]{{8,}}"),  # a JSON web token
)
"""Of well-known keys: how they begin, and what follows."""
_PRIVATE_KEY = (
    r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----[ \t]*(?:[\r\n]|\\+[rn])"
    r"(?:[A-Za-z0-9+/=\s:,]|\\+[nrt]|-(?!----))*"
    r"(?:-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?"
)
_KNOWN_SHAPES = re.compile(
    # In JSON text the letter of an escape stands before a key that begins its line.
    rf"(?:(?<![A-Za-z0-9_])|(?<=\\[nrtbf]))(?:{'|'.join(re.escape(start) + rest for start, rest in _SHAPES)})"
    rf"|(?<=[Bb]earer )[A-Za-z0-9._~+/-]{{8,}}=*|{_PRIVATE_KEY}"
)

_COMMON = ("_live_", "_test_", "xox")
"""Stand in several beginnings."""
_SIGNS = (
    *_COMMON,
    *(start for start, _ in _SHAPES if not any(common in start for common in _COMMON)),
    "earer ",
    "-----BEGIN ",
)
"""Without one of these no shape is in a text: looking for them costs a fifth of looking for the shapes."""
_NAMES = ("pass", "secret", "token", "key", "credential")


def _parts(words: Iterable[str]) -> str:
    """A pattern of all beginnings of `words` that are not yet the whole."""
    parts = {word[:count] for word in words for count in range(1, len(word))}
    return "|".join(map(re.escape, sorted(parts, key=len, reverse=True)))


@cache
def _open_shape() -> re.Pattern[str]:
    """At the end of a text: what the next characters could make a key of. Compiled with the first delta (1 ms)."""
    starts = [start for start, _ in _SHAPES]
    return re.compile(
        rf"(?:(?<![A-Za-z0-9_])|(?<=\\[nrtbf]))(?:{_parts(starts)})\Z"
        rf"|(?:(?<![A-Za-z0-9_])|(?<=\\[nrtbf]))(?:{'|'.join(map(re.escape, starts))})[A-Za-z0-9_.-]*\Z"
        rf"|(?:{_parts(('Bearer ', 'bearer ', '-----BEGIN '))})\Z"
        r"|[Bb]earer [A-Za-z0-9._~+/=-]*\Z"
        r"|-----BEGIN [A-Z0-9 ]{0,30}(?:-*|PRIVATE KEY"
        r"(?:(?!-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----[^-])[\s\S])*)\Z"
    )


_OPEN_CHARACTERS = 20_000

_IN_ADDRESS = re.compile(r"(?<=://)([^\s/:@\"'\\]{1,100}:)[^\s/@\"'\\]{3,200}(?=@)")
_BASIC = re.compile(r"(?<=[Bb]asic )[A-Za-z0-9+/]{12,}={0,2}")


@cache
def _assigned() -> re.Pattern[str]:
    """What is called a password or a token. Compiled with the first record."""
    return re.compile(
        r"((?:pass(?:word|wd|phrase)|secret|token|api[_-]?key|access[_-]?key|private[_-]?key|credentials?)"
        r"(?:\\*[\"'])?\s{0,3}(?:=>|[:=]|\s)\s{0,3}(?:\\*[\"'])?)([^\s\"'\\,;&(){}\[\]<>$]{8,})",
        re.IGNORECASE,
    )


class SecretMasker:
    """Replaces known secrets, and what has the shape of a well-known key, by `***`."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._known: frozenset[str] = frozenset()
        self._values: re.Pattern[str] | None = None
        self.learn(secrets)

    def learn(self, secrets: Iterable[str]) -> None:
        """Masks these too from now on (a key that came during the session)."""
        self._known |= {spelt for secret in secrets if len(secret) >= _MIN_LENGTH for spelt in _spellings(secret)}
        known = sorted(self._known, key=len, reverse=True)
        self._values = re.compile("|".join(map(re.escape, known))) if known else None

    def mask(self, text: str) -> str:
        """`text` without secrets. Works on text as it is and inside JSON text alike."""
        text = self.mask_known(text)
        return _KNOWN_SHAPES.sub(MASK, text) if any(sign in text for sign in _SIGNS) else text

    def mask_known(self, text: str) -> str:
        """`text` without the configured secrets alone."""
        return self._values.sub(MASK, text) if self._values is not None else text

    def mask_all(self, text: str) -> str:
        """As `mask`, and what is called a password or a token: for records that nobody works on with a model."""
        text = self.mask(text)
        text = _IN_ADDRESS.sub(rf"\1{MASK}", text) if "://" in text else text
        text = _BASIC.sub(MASK, text) if "asic " in text else text
        lowered = text.lower()
        return _assigned().sub(_without_value, text) if any(name in lowered for name in _NAMES) else text

    def open_end(self, text: str) -> int:
        """Where the end of `text` begins that could become a secret with what follows; its length where none could."""
        start = max(0, len(text) - _OPEN_CHARACTERS)
        found = _open_shape().search(text, start)
        at = found.start() if found else len(text)
        for secret in self._known:
            at = _open_value(text, secret, at)
        if at == len(text):
            return at
        patterns = (_KNOWN_SHAPES, self._values) if self._values is not None else (_KNOWN_SHAPES,)
        whole = (found for pattern in patterns for found in pattern.finditer(text, start))
        return min((found.start() for found in whole if found.start() < at < found.end()), default=at)


def _open_value(text: str, secret: str, before: int) -> int:
    """The first place ahead of `before` from which on `text` is the beginning of `secret`; else `before`."""
    at = text.find(secret[0], max(0, len(text) - len(secret) + 1), before)
    while at >= 0:
        if secret.startswith(text[at:]):
            return at
        at = text.find(secret[0], at + 1, before)
    return before


def _without_value(found: re.Match[str]) -> str:
    value = found[2]
    is_word = not (any(map(str.isdigit, value)) and any(map(str.isalpha, value)))
    return found[0] if is_word or "://" in value else found[1] + MASK


def _spellings(secret: str) -> Iterator[str]:
    """As it is, inside a JSON string, inside JSON inside a JSON string (a call's arguments in the journal), in a URL
    or its path, in Base64 and in hexadecimal.
    """
    for is_ascii in (False, True):
        spelt = secret
        for _ in range(3):
            yield spelt
            spelt = json.dumps(spelt, ensure_ascii=is_ascii)[1:-1]
    for kept in ("", "/"):
        yield _in_url(secret, kept, "02X")
        yield _in_url(secret, kept, "02x")
    if len(secret) >= _MIN_ENCODED_LENGTH:
        raw = secret.encode("utf-8", "replace")
        yield from _in_base64(raw)
        yield raw.hex()
        yield raw.hex().upper()


def _in_url(secret: str, kept: str, form: str) -> str:
    """`kept`: what stays beside the unreserved characters; `form`: of an escape's digits."""
    plain = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~" + kept)
    return "".join(
        each if each in plain else "".join(f"%{byte:{form}}" for byte in each.encode("utf-8", "replace"))
        for each in secret
    )


def _in_base64(secret: bytes) -> Iterator[str]:
    """What it looks like wherever it stands in the encoded bytes, its first and last characters left out."""
    import binascii  # start-up: 1 ms, and only a session with a key needs it

    for shift in range(3):
        encoded = binascii.b2a_base64(b"\0" * shift + secret, newline=False).decode("ascii")
        first = (shift * 8 + 5) // 6
        last = (shift + len(secret)) * 8 // 6
        yield encoded[first:last]
        yield encoded[first:last].replace("+", "-").replace("/", "_")
