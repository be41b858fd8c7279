"""A picture from the clipboard into the input: Ctrl+V, or what a terminal sends when it is told to paste one."""

from collections.abc import Callable

from paicli.core.errors import PaiError, UserFacingError
from paicli.ui.command_desk import CommandDesk
from paicli.ui.input_sources import PictureSource
from paicli.ui.live.answers import AnswerThread


class ImagePaste:
    """Belongs to the app's thread; the clipboard is read beside it, as its owner may take its time."""

    def __init__(
        self, pictures: PictureSource, desk: CommandDesk, *, insert: Callable[[str], None], say: Callable[..., None]
    ) -> None:
        """`insert` gets the picture's path; `say` a code and its fields where there is none."""
        self._pictures = pictures
        self._desk = desk
        self._insert = insert
        self._say = say
        self._answers: AnswerThread[str | PaiError] = AnswerThread(self._take)

    def begin(self) -> None:
        """Returns at once. Only from a running loop."""
        self._answers.ask(self._find)

    def _find(self) -> str | PaiError:
        queries = self._desk.queries
        try:
            if queries is not None and not queries.sees_images():
                return UserFacingError("picture.unseen")
            return self._pictures.save_pasted()
        except PaiError as error:
            return error

    def _take(self, found: str | PaiError) -> None:
        if isinstance(found, str):
            self._insert(found)
        else:
            self._say(found.code, **found.fields)
