"""Pictures that the person's words name, read as a model that sees gets them."""

import base64
import os

from paicli.core.errors import ToolFailed
from paicli.core.messages import ErrorKind, Image
from paicli.policy.path_guard import PathGuard
from paicli.tools.files.access import find_to_read, open_to_read, size_text, translated
from paicli.tools.files.encoding import binary_kind

MAX_IMAGES = 5
"""A message."""
MAX_IMAGE_BYTES = 5_000_000

_SIGNATURE_BYTES = 16
_MEDIA_TYPES = {"PNG": "image/png", "JPEG": "image/jpeg", "GIF": "image/gif", "WebP": "image/webp"}


def read_image(paths: PathGuard, path: str) -> Image | None:
    """The image at `path`; None where the first bytes are no image's, whatever the name says.

    Raises ToolFailed ("files.too_large" beyond 5 MB), or PolicyDenied by the guard.
    """
    found = find_to_read(paths, path)
    with open_to_read(found) as file, translated(found.shown):
        head = file.read(_SIGNATURE_BYTES)
        media_type = media_type_of(head)
        if media_type is None:
            return None
        raw = head + file.read(MAX_IMAGE_BYTES + 1 - len(head))
        if len(raw) > MAX_IMAGE_BYTES:
            size = size_text(max(os.fstat(file.fileno()).st_size, len(raw)))
            raise ToolFailed("files.too_large", kind=ErrorKind.INVALID_ARGUMENT, path=found.shown, size=size)
    return Image(found.shown, media_type, base64.b64encode(raw).decode("ascii"), len(raw))


def media_type_of(raw: bytes) -> str | None:
    """Like "image/png", by the first bytes; None for what no model sees."""
    return _MEDIA_TYPES.get(binary_kind(raw[:_SIGNATURE_BYTES]))
