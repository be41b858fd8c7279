"""Takes secrets out of what goes out: a text, an event, a text that comes in pieces. Entry: `SecretMasker`."""

from paicli.core.masking.secrets import MASK, SecretMasker

__all__ = ["MASK", "SecretMasker"]
