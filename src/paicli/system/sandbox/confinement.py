"""What a sandbox lets a command do, as data: the tools of both systems are told the same."""

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple


class SandboxMode(StrEnum):
    OFF = "off"
    WORKSPACE = "workspace"
    """Writes only in the project, the added folders and a temporary folder of its own."""
    STRICT = "strict"
    """The same, and no network."""


class Confinement(NamedTuple):
    """Paths are absolute and resolved; of two that contain each other the nearer one decides."""

    writable: tuple[Path, ...]
    frozen: tuple[Path, ...]
    """Readable only, though they lie in what is writable: what makes others run something later."""
    hidden_folders: tuple[Path, ...]
    """They look empty."""
    hidden_files: tuple[Path, ...]
    shown: tuple[Path, ...]
    """Readable, though they lie in what is hidden or replaced."""
    temp: Path
    """The sandbox's own temporary folder, as it is called outside."""
    temp_places: tuple[Path, ...]
    """Folders of the system it stands in for, where the sandbox can do that."""
    has_network: bool


_SECRET_FOLDERS = (
    ".ssh", ".gnupg", ".aws", ".azure", ".kube", ".config/gcloud", ".config/gh", ".config/op", ".password-store",
    ".local/share/keyrings", ".mozilla", ".config/google-chrome", ".config/chromium", "Library/Keychains",
)  # fmt: skip
_SECRET_FILES = (
    ".netrc", ".git-credentials", ".config/git/credentials", ".npmrc", ".pypirc", ".docker/config.json",
    ".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".pgpass", ".vault-token",
)  # fmt: skip
_STARTED_LATER = (".git/config", ".git/hooks", ".git/info/attributes", ".paicli")
"""In a project: git and paicli run programs that are named there, and then no sandbox is around them."""
_TEMP_PLACES = (Path("/tmp"), Path("/var/tmp"))


def confinement_of(
    mode: SandboxMode,
    folders: Iterable[Path],
    *,
    user_home: Path,
    own_home: Path,
    shown: Sequence[Path],
    temp: Path,
    exists: Callable[[Path], bool] = Path.exists,
    resolve: Callable[[Path], Path] = Path.resolve,
) -> Confinement:
    """`folders`: the project's root first. Looks at what there is just now: a folder of keys may come later."""

    def present(paths: Iterable[Path]) -> tuple[Path, ...]:
        return tuple(dict.fromkeys(resolve(path) for path in paths if exists(path)))

    writable = present(folders)
    repositories = present(folder / ".git" for folder in writable)
    hooks = [git / "hooks" for git in repositories]
    secret_folders = (own_home, *(user_home / name for name in _SECRET_FOLDERS))
    return Confinement(
        # The repository once more: what is mounted itself can't be moved away, and another be put in its place.
        writable=(*writable, *(git for git in repositories if git not in writable)),
        frozen=present(folder / name for folder in writable for name in _STARTED_LATER),
        hidden_folders=(
            *present(secret_folders),
            *(hook for hook in hooks if exists(hook.parent / "config") and not exists(hook)),
        ),
        hidden_files=present(user_home / name for name in _SECRET_FILES),
        shown=present(shown),
        temp=temp,
        temp_places=present(_TEMP_PLACES),
        has_network=mode is not SandboxMode.STRICT,
    )
