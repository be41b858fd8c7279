"""Where things are kept; nothing here is about how long."""

from app.config import region


def bucket() -> str:
    return f"archive-{region()}"
