"""What is never taken: the ignore patterns that hold for a project beside the `.gitignore` files in it."""

from fnmatch import fnmatchcase
from pathlib import Path

_IGNORE_FILE = ".gitignore"
_MAX_BYTES = 100_000


def is_ignore_file(path: str) -> bool:
    return path.rpartition("/")[2] == _IGNORE_FILE


def excludes_of_project(root: Path) -> str:
    """What the project's own repository ignores beside the `.gitignore` files below `root`."""
    found: list[str] = []
    for folder in (root, *root.parents):
        below = root.relative_to(folder).parts
        if below:
            found = [*_patterns(folder / _IGNORE_FILE, below), *found]
        git = folder / ".git"
        if git.is_dir() or git.is_file():
            excluded = _patterns(_shared_folder(git) / "info" / "exclude", below)
            return "".join(f"{line}\n" for line in (*excluded, *found))
    return ""


def _shared_folder(git: Path) -> Path:
    """Where the repository itself lies: a worktree and a submodule have a file that says so."""
    if git.is_dir():
        return git
    said = _read(git).strip()
    own = git.parent / said.removeprefix("gitdir:").strip() if said.startswith("gitdir:") else git
    common = _read(own / "commondir").strip()
    return own / common if common else own


def _patterns(path: Path, below: tuple[str, ...]) -> list[str]:
    """The file's patterns, as they read where the folders `below` have been gone down."""
    lines = [line for line in _read(path).splitlines() if line.strip() and not line.startswith("#")]
    return [moved for line in lines if (moved := _moved(line, below))]


def _moved(pattern: str, below: tuple[str, ...]) -> str:
    """ "" where it names nothing there: `app/dist/` is `/dist/` in `app`."""
    mark, bare = ("!", pattern[1:]) if pattern.startswith("!") else ("", pattern)
    if not below or "/" not in bare.rstrip().rstrip("/"):
        return pattern  # means the same in whatever folder it stands
    parts = bare.lstrip("/").split("/")
    for name in below:
        if parts[0] == "**":
            break
        if not any(parts[1:]) or not fnmatchcase(name, parts[0]):
            return ""
        parts = parts[1:]
    if parts in (["*"], ["**"]):
        return ""  # all that is there: somebody works in it all the same, and wants it back
    return mark + "/" * (parts[0] != "**") + "/".join(parts)


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_MAX_BYTES).decode("utf-8", "surrogateescape")
    except OSError:
        return ""
