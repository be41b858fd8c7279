"""Text that can be written as UTF-8: lone surrogates and invalid bytes become U+FFFD once, at the boundary (R3)."""


def well_formed(text: str) -> str:
    """`text` with surrogate pairs joined and each lone surrogate replaced by U+FFFD."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def decoded(raw: bytes) -> str:
    """UTF-8 text of `raw`, each invalid byte sequence replaced by U+FFFD."""
    return raw.decode("utf-8", "replace")


def clipped(text: str, limit: int, mark: str = "…") -> str:
    """At most `limit` characters, the last being `mark` when something was cut."""
    return text if len(text) <= limit else text[: max(0, limit - len(mark))] + mark
