"""What the input asks of the rest of the house while one types. Queries change nothing; app wires them."""

from typing import NamedTuple, Protocol

from paicli.core.errors import UserFacingError


class FoundPath(NamedTuple):
    """A file or folder that a half-typed path may mean."""

    path: str
    """As one would write it: relative to the project root, or as absolute as it was typed; folders without "/"."""
    is_folder: bool = False


class PathQuery(Protocol):
    """Asked on threads of the terminal's own; answers from what it knows within 50 ms."""

    def mentioned(self, typed: str, limit: int) -> tuple[FoundPath, ...]:
        """Files and folders of the project whose paths fit the parts of `typed`, best first."""
        ...

    def below(self, typed: str, limit: int) -> tuple[FoundPath, ...]:
        """What stands in the folder that `typed` begins with, as a shell would complete it."""
        ...


class ProgramQuery(Protocol):
    def programs(self, prefix: str, limit: int) -> tuple[str, ...]:
        """Names of programs on the PATH, in order."""
        ...


class HistoryStore(Protocol):
    """Keeps what was typed; a store that fails keeps nothing and says nothing."""

    def entries(self) -> list[str]:
        """The newest first."""
        ...

    def append(self, entry: str) -> None: ...


class EditorEnding(NamedTuple):
    """How a visit to the person's editor ended."""

    text: str | None = None
    """None: nothing to take over."""
    failure: str = ""
    """Why; empty when there was none."""
    editor: str = ""
    """Empty: none was found."""


class TextEditor(Protocol):
    def edit(self, text: str) -> EditorEnding:
        """Opens the person's editor on `text` in this terminal and waits for its end, on the caller's thread."""
        ...


class PictureSource(Protocol):
    def save_pasted(self) -> str:
        """The picture in the person's clipboard, kept in a new private file: its path. Blocks, 2 seconds at most.

        Raises UserFacingError, which says why there is none.
        """
        ...


class _NoPaths:
    def mentioned(self, typed: str, limit: int) -> tuple[FoundPath, ...]:
        return ()

    def below(self, typed: str, limit: int) -> tuple[FoundPath, ...]:
        return ()


class _NoPrograms:
    def programs(self, prefix: str, limit: int) -> tuple[str, ...]:
        return ()


class _NoHistory:
    def entries(self) -> list[str]:
        return []

    def append(self, entry: str) -> None:
        pass


class _NoEditor:
    def edit(self, text: str) -> EditorEnding:
        return EditorEnding()


class _NoPictures:
    def save_pasted(self) -> str:
        raise UserFacingError("picture.no_program")


class InputSources(NamedTuple):
    """All of them; without any the input still works."""

    paths: PathQuery = _NoPaths()
    programs: ProgramQuery = _NoPrograms()
    history: HistoryStore = _NoHistory()
    editor: TextEditor = _NoEditor()
    pictures: PictureSource = _NoPictures()
