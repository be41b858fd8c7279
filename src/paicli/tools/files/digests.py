"""The content hash of a file as it is now, for finding out what a command changed behind the tools' backs."""

from pathlib import Path

from paicli.system.files import FileTooLarge, read_contents
from paicli.tools.ledger import content_hash

LIMIT_BYTES = 5_000_000
"""Larger files are neither written by tools nor compared."""


def digest_of_file(real_path: str) -> str | None:
    """None when the file is gone, is no regular file, is larger than 5 MB, or can't be read."""
    path = Path(real_path)
    try:
        return content_hash(read_contents(Path(path.anchor), path.parts[1:], LIMIT_BYTES).raw)
    except (FileTooLarge, OSError):
        return None
