"""Which files a tool may touch: decided on the resolved path, component by component."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple


class GuardedPath(NamedTuple):
    """A path that passed the guard; open it below `base` only, part by part, so a swap can't lead outside."""

    base: Path
    """The allowed folder it lies in, fully resolved."""
    parts: tuple[str, ...]
    """Below `base`, fully resolved, no links, no "..". Empty: the base itself."""
    shown: str
    """For people and models: relative to the project root where it lies inside, else absolute."""

    @property
    def real(self) -> str:
        """The resolved absolute path."""
        return str(self.base.joinpath(*self.parts))


class PathGuard:
    """Allows paths inside the project root and added folders, and what may only be read."""

    def __init__(
        self,
        root: Path,
        *,
        added: Sequence[Path] = (),
        readable: Sequence[Path] = (),
        protected: Sequence[Path] = (),
    ) -> None:
        """`readable`: folders that may be read though they lie outside (results). `protected`: never, even inside."""
        raise NotImplementedError

    @property
    def root(self) -> Path: ...

    def for_reading(self, text: str) -> GuardedPath:
        """Raises PolicyDenied with the resolved path when it is not allowed."""
        raise NotImplementedError

    def for_writing(self, text: str) -> GuardedPath:
        """Raises PolicyDenied with the resolved path when it is not allowed."""
        raise NotImplementedError
