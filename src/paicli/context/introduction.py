"""What `/init` asks of the model: to look at the project and write its PAI.md."""

from pathlib import Path

from paicli.context.project_rules import FILE_NAME
from paicli.context.prompt_library import PromptLibrary
from paicli.core.errors import UserFacingError

FORCE = "--force"


class ProjectIntroduction:
    def __init__(self, library: PromptLibrary, project_root: Path) -> None:
        self._library = library
        self._path = project_root / FILE_NAME

    def request(self, wish: str) -> str:
        """The prepared text, with what the person wants minded. Raises UserFacingError where there is a PAI.md.

        `--force` at the start of `wish` rewrites it.
        """
        first, _, rest = wish.strip().partition(" ")
        is_forced = first == FORCE
        if self._path.exists() and not is_forced:
            raise UserFacingError("init.exists", path=str(self._path))
        text = self._library.text("init.md")
        minded = rest.strip() if is_forced else wish.strip()
        return f"{text}\n\n{minded}" if minded else text
