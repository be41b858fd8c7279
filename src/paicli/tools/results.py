"""What the tools need for results that are too long for a conversation; the session keeps them."""

from pathlib import Path
from typing import Protocol


class ResultStore(Protocol):
    """Keeps long texts where read_file may read them."""

    def save(self, name: str, text: str) -> Path:
        """Writes `text` to a new file; `name` says in its file name what it is. Raises OSError."""
        ...
