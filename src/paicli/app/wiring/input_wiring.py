"""What the input draws on while one types: the file index, the PATH, the history file, the person's editor."""

import os
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from paicli.core.errors import UserFacingError, reason_of
from paicli.policy.path_guard import PathGuard
from paicli.session.folder import project_key
from paicli.session.input_history import InputHistory
from paicli.session.results import ResultFiles
from paicli.system.files import read_contents, write_state_file
from paicli.ui.input_sources import EditorEnding, FoundPath, InputSources

if TYPE_CHECKING:
    from paicli.tools.search.folder_names import Programs
    from paicli.tools.search.index import FileIndex, IndexedPath

_MAX_DRAFT_BYTES = 20_000_000


def input_sources(
    home: Path,
    paths: PathGuard,
    environment: Mapping[str, str],
    *,
    results: Path,
    mask: Callable[[str], str] = str,
) -> InputSources:
    """`environment` is what the person's own programs get; `mask` takes out of the history what never is on disk.

    `results`: the session's folder, in which pasted pictures are kept.
    """
    return InputSources(
        paths=_Paths(paths),
        programs=_PathPrograms(environment.get("PATH", os.defpath)),
        history=InputHistory(home / "history" / project_key(paths.root), mask=mask),
        editor=_DraftEditor(home / "drafts", environment),
        pictures=_ClipboardPictures(results, environment),
    )


class _Paths:
    """As `ui.input_sources.PathQuery`."""

    def __init__(self, paths: PathGuard) -> None:
        self._paths = paths
        self._lock = threading.Lock()
        self._index: FileIndex | None = None

    def mentioned(self, typed: str, limit: int) -> tuple[FoundPath, ...]:
        # start-up: 5 ms that only completion needs
        from paicli.tools.search.folder_names import guarded_names
        from paicli.tools.search.index import FileIndex

        with self._lock:
            self._index = self._index or FileIndex(self._paths)
        typed = typed.removeprefix("./")
        # A folder that is named is listed whatever .gitignore says, and before what the index knows of it.
        is_named = "/" in typed or typed.startswith(".")
        named = guarded_names(self._paths, typed, limit) if is_named else []
        return _found([*named, *self._index.find(typed, limit)], limit)

    def below(self, typed: str, limit: int) -> tuple[FoundPath, ...]:
        from paicli.tools.search.folder_names import shell_names  # start-up: 5 ms that only completion needs

        return _found(shell_names(self._paths.root, typed, limit), limit)


class _PathPrograms:
    """As `ui.input_sources.ProgramQuery`."""

    def __init__(self, path: str) -> None:
        self._folders = [folder for folder in path.split(os.pathsep) if folder]
        self._lock = threading.Lock()
        self._programs: Programs | None = None

    def programs(self, prefix: str, limit: int) -> tuple[str, ...]:
        from paicli.tools.search.folder_names import Programs  # start-up: 5 ms that only completion needs

        with self._lock:
            self._programs = self._programs or Programs(self._folders)
        return tuple(self._programs.starting_with(prefix, limit))


class _DraftEditor:
    """As `ui.input_sources.TextEditor`; the draft is the user's alone and gone afterwards."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self._folder = folder
        self._environment = environment

    def edit(self, text: str) -> EditorEnding:
        # start-up: subprocess and what it needs cost 4 ms, and few sessions open an editor
        from paicli.system.programs.editor import EditorFailed, NoEditor, edit_file

        draft = self._folder / f"input-{os.getpid()}-{os.urandom(4).hex()}.md"
        try:
            write_state_file(draft, (text + "\n" if text else "").encode())
            edit_file(draft, self._environment)
            edited = read_contents(Path(os.path.realpath(draft.parent)), [draft.name], _MAX_DRAFT_BYTES).raw
        except NoEditor:
            return EditorEnding()
        except EditorFailed as error:
            editor, reason = error.args
            return EditorEnding(None, str(reason), str(editor))
        except OSError as error:
            return EditorEnding(None, reason_of(error), str(draft))
        finally:
            with suppress(OSError):
                draft.unlink()
        return EditorEnding(edited.decode("utf-8", "replace").replace("\r\n", "\n"), editor="editor")


class _ClipboardPictures:
    """As `ui.input_sources.PictureSource`. Goes with the session: cleaning removes the folder beside its journal."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self._files = ResultFiles(folder)
        self._environment = environment

    def save_pasted(self) -> str:
        # start-up: subprocess and the reading tools cost 10 ms, and few sessions paste a picture
        from paicli.agent.mentions.images import MAX_IMAGE_BYTES, media_type_of
        from paicli.system.programs.clipboard import (
            ClipboardFailed,
            NoClipboardProgram,
            NoPicture,
            PictureTooLarge,
            read_picture,
        )

        try:
            raw = read_picture(self._environment, max_bytes=MAX_IMAGE_BYTES)
        except NoClipboardProgram:
            raise UserFacingError("picture.no_program") from None
        except NoPicture:
            raise UserFacingError("picture.none") from None
        except PictureTooLarge:
            raise UserFacingError("picture.too_large") from None
        except ClipboardFailed as error:
            program, reason = error.args
            raise UserFacingError("picture.failed", program=program, reason=reason) from None
        media_type = media_type_of(raw)
        if media_type is None:
            raise UserFacingError("picture.unknown" if raw else "picture.none")
        try:
            return str(self._files.save_bytes("clipboard", raw, ending=media_type.removeprefix("image/")))
        except OSError as error:
            path, reason = str(self._files.folder), reason_of(error)
            raise UserFacingError("picture.not_kept", path=path, reason=reason) from None


def _found(entries: "list[IndexedPath]", limit: int) -> tuple[FoundPath, ...]:
    return tuple(dict.fromkeys(FoundPath(entry.path, entry.is_folder) for entry in entries))[:limit]
