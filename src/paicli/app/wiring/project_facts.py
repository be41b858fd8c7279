"""What the status bar says of the project, read without running anything of it."""

import re
from pathlib import Path

_HEAD_LIMIT_BYTES = 4_096


def git_branch(project_root: Path) -> str:
    """The branch that is checked out, a short commit id when none is, "" outside a repository.

    Reads `.git/HEAD` itself: git, asked by us, would run what the repository's configuration names.
    """
    for folder in (project_root, *project_root.parents):
        marker = folder / ".git"
        if marker.is_dir():
            return _branch_of(marker)
        if marker.is_file():
            named = re.match(r"gitdir:\s*(.+)", _first_line(marker))
            return _branch_of(folder / named.group(1)) if named else ""
    return ""


def _branch_of(git_folder: Path) -> str:
    head = _first_line(git_folder / "HEAD")
    if head.startswith("ref: refs/heads/"):
        return head.removeprefix("ref: refs/heads/")
    return head[:8] if re.fullmatch(r"[0-9a-f]{40,64}", head) else ""


def _first_line(path: Path) -> str:
    try:
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            raw = file.read(_HEAD_LIMIT_BYTES)
    except OSError:
        return ""
    lines = raw.decode("utf-8", "replace").splitlines()
    return lines[0].strip() if lines else ""
