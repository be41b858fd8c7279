"""How many tokens a text is, roughly: no provider's own tokenizer is at hand."""

_BYTES_PER_TOKEN = 4
"""Of text in Latin letters and code."""
_TOKENS_PER_WIDE = 0.7
"""Of Chinese, Japanese and Korean characters."""
MESSAGE_TOKENS = 4
"""What a message costs beside its text."""
IMAGE_TOKENS = 1_000
"""What an image costs, roughly: providers count by its width and height, most screenshots as 500 to 1,600."""


def estimated_tokens(text: str) -> int:
    """Within some 20 % for prose and code; at least 1 for text that is not empty."""
    if not text:
        return 0
    wide = 0 if text.isascii() else sum(map(_is_wide, text))
    return max(1, round((len(text) - wide) / _BYTES_PER_TOKEN + wide * _TOKENS_PER_WIDE))


def _is_wide(character: str) -> bool:
    return "\u2e80" <= character <= "\ud7ff" or "\uf900" <= character <= "\ufaff" or character >= "\U00020000"
