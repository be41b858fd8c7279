"""How many tokens a text or a message is, roughly: no provider's own tokenizer is at hand.

Never much below what tokenizers count; the server's own figures correct it (see `compaction.gauge`).
"""

import json
import re
from functools import cache

from paicli.core.messages import AssistantMessage, Message, ToolDeclaration, UserMessage

_CHARACTERS_PER_TOKEN = 4
"""Of text in plain Latin letters and code."""
_NOISE_CHARACTERS_PER_TOKEN = 1.7
"""Of base64 and keys: no word of a vocabulary is in them."""
_TOKENS_PER_TWO_BYTES = 0.6
"""Of a character with two bytes in UTF-8: accents, Cyrillic, Arabic."""
_TOKENS_PER_THREE_BYTES = 1.0
"""Chinese, Japanese, Korean, and symbols."""
_TOKENS_PER_FOUR_BYTES = 2.0
"""Emoji and rare ideographs."""
MESSAGE_TOKENS = 4
"""What a message costs beside its text."""
CALL_TOKENS = 8
"""What a tool call costs beside its name and arguments."""
IMAGE_TOKENS = 1_000
"""What an image costs, roughly: providers count by its width and height, most screenshots as 500 to 1,600."""


def estimated_tokens(text: str) -> int:
    """Within some 20 % for prose and code; at least 1 for text that is not empty."""
    if not text:
        return 0
    tokens, plain = 0.0, len(text)
    if not text.isascii():
        # Counted by the lengths of three encodings: no loop over the characters.
        plain = len(text.encode("ascii", "ignore"))
        four = len(text.encode("utf-16-le", "surrogatepass")) // 2 - len(text)
        others = len(text) - plain - four
        three = len(text.encode("utf-8", "surrogatepass")) - plain - 4 * four - 2 * others
        tokens = (
            four * _TOKENS_PER_FOUR_BYTES + three * _TOKENS_PER_THREE_BYTES + (others - three) * _TOKENS_PER_TWO_BYTES
        )
    noise = _noise_characters(text) if plain >= _NOISE_LENGTH else 0
    tokens += (plain - noise) / _CHARACTERS_PER_TOKEN + noise / _NOISE_CHARACTERS_PER_TOKEN
    return max(1, round(tokens))


def message_tokens(message: Message) -> int:
    """Estimated, with what a message costs beside its text."""
    tokens = MESSAGE_TOKENS + estimated_tokens(message.content)
    if isinstance(message, UserMessage):
        return tokens + IMAGE_TOKENS * len(message.images)
    if isinstance(message, AssistantMessage):
        calls = (estimated_tokens(call.name) + estimated_tokens(call.arguments) for call in message.tool_calls)
        # Thinking goes back, if at all, beside calls; the server's figures correct what this adds in vain.
        thinking = estimated_tokens(message.thinking) if message.tool_calls else 0
        return tokens + sum(calls) + CALL_TOKENS * len(message.tool_calls) + thinking
    return tokens


def declaration_tokens(tool: ToolDeclaration) -> int:
    """What a tool costs in each request that offers it, written as it is sent."""
    parameters = json.dumps(tool.parameters, ensure_ascii=False, separators=(",", ":"))
    return CALL_TOKENS + estimated_tokens(tool.name) + estimated_tokens(tool.description + parameters)


_NOISE_LENGTH = 48


@cache
def _runs() -> re.Pattern[str]:
    # compiled with the first long text: no start needs it
    return re.compile(rf"[A-Za-z0-9+/=_-]{{{_NOISE_LENGTH},}}")


def _noise_characters(text: str) -> int:
    """Of long runs in which capitals, small letters and digits mix without an end."""
    return sum(len(run) for run in _runs().findall(text) if _is_noise(run))


def _is_noise(run: str) -> bool:
    sample = run[:400]
    kinds = (any(map(str.isupper, sample)), any(map(str.islower, sample)), any(map(str.isdigit, sample)))
    return all(kinds)
