"""The content hash of a file as it is now, for finding out what a command changed behind the tools' backs."""

from pathlib import Path

from paicli.system.files import read_contents
from paicli.tools.ledger import WRITABLE_BYTES, content_hash


def digest_of_file(real_path: str) -> str | None:
    """None when the file is gone, is no regular file, is larger than 5 MB, or can't be read."""
    path = Path(real_path)
    try:
        return content_hash(read_contents(Path(path.anchor), path.parts[1:], WRITABLE_BYTES).raw)
    except OSError:
        return None
