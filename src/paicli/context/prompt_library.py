"""Finds prompt files and puts them together; every longer text that a model reads comes from here."""

from pathlib import Path

from paicli.context.reading import NoRegularFile, read_regular
from paicli.core.errors import SettingsError, reason_of

_PACKAGED = Path(__file__).parent.parent / "prompts"
_CHECKOUT = Path(__file__).parents[3] / "prompts"
"""An editable install has no packaged copy."""
_LIMIT_BYTES = 1_000_000
"""A prompt that is longer is a mistake, and no window takes it."""


class PromptLibrary:
    """Prompt files by name, such as "modes/react.md": the user's own, else the packaged ones."""

    def __init__(self, overrides: Path | None = None) -> None:
        self._folders = [folder for folder in (overrides, _PACKAGED, _CHECKOUT) if folder is not None]
        self._read: dict[str, str] = {}

    def text(self, name: str) -> str:
        """The file without outer white space. Raises SettingsError when no folder has it or it can't be read."""
        if name not in self._read:
            self._read[name] = self._load(name)
        return self._read[name]

    @property
    def packaged(self) -> Path:
        """The folder of the packaged ones."""
        return _PACKAGED if _PACKAGED.is_dir() else _CHECKOUT

    def describe_tool(self, name: str) -> str:
        """The description of a tool for the model."""
        return self.text(f"tools/{name}.md")

    def _load(self, name: str) -> str:
        for folder in self._folders:
            try:
                return _prompt_at(folder / name)
            except (FileNotFoundError, NotADirectoryError):
                continue
        raise SettingsError("settings.prompt_missing", name=name, folders=", ".join(map(str, self._folders)))


def _prompt_at(path: Path) -> str:
    """Raises FileNotFoundError or NotADirectoryError where there is none, SettingsError where it can't be used."""
    where = {"path": str(path)}
    try:
        raw = read_regular(path, _LIMIT_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise
    except (NoRegularFile, IsADirectoryError):
        raise SettingsError("settings.prompt_no_file", **where) from None
    except OSError as error:
        raise SettingsError("settings.prompt_unreadable", **where, reason=reason_of(error)) from None
    if len(raw) > _LIMIT_BYTES:
        raise SettingsError("settings.prompt_too_large", **where, limit_bytes=_LIMIT_BYTES)
    try:
        return raw.decode("utf-8-sig").strip()
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise SettingsError("settings.prompt_not_utf8", **where, line=line) from None
