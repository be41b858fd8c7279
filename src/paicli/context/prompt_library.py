"""Finds prompt files and puts them together; every longer text that a model reads comes from here."""

from pathlib import Path

from paicli.core.errors import SettingsError

_PACKAGED = Path(__file__).parent.parent / "prompts"
_CHECKOUT = Path(__file__).parents[3] / "prompts"
"""An editable install has no packaged copy."""


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

    def describe_tool(self, name: str) -> str:
        """The description of a tool for the model."""
        return self.text(f"tools/{name}.md")

    def _load(self, name: str) -> str:
        for folder in self._folders:
            path = folder / name
            try:
                return path.read_text(encoding="utf-8-sig").strip()
            except (FileNotFoundError, NotADirectoryError):
                continue
            except (OSError, UnicodeDecodeError) as error:
                raise SettingsError("settings.prompt_unreadable", path=str(path), reason=str(error)) from None
        raise SettingsError("settings.prompt_missing", name=name, folders=", ".join(map(str, self._folders)))
