"""Output for line mode: styled lines and streamed text, without ever moving the cursor."""

from collections.abc import Generator
from contextlib import contextmanager
from typing import TextIO, assert_never

from paicli.core.catalogue.lookup import Texts
from paicli.core.errors import UserFacingError, reason_of
from paicli.core.events import DeltaKind
from paicli.ui.rendering.renderer import Shown, StreamEnd, StreamText
from paicli.ui.rendering.styled import Line, Painter, Style
from paicli.ui.sanitize import TextCleaner


class LineWriter:
    """Writes styled lines and streamed text; never moves the cursor."""

    def __init__(self, stream: TextIO | None, painter: Painter, texts: Texts) -> None:
        self._stream = stream
        self._painter = painter
        self._texts = texts
        self._is_at_line_start = True
        self._streaming: DeltaKind | None = None
        self._cleaner = TextCleaner()

    def show(self, shown: Shown) -> None:
        match shown:
            case Line():
                self.line(shown)
            case StreamText(kind, text):
                self._stream_text(kind, text)
            case StreamEnd():
                self._end_stream()
            case _:
                assert_never(shown)

    def line(self, shown: Line) -> None:
        self._end_stream()
        self._write(self._painter.line(shown) + "\n")

    def prompt(self, text: str) -> None:
        self._end_stream()
        self._write(self._painter.plain(text))
        self.flush()

    def end_prompt(self, echo: str) -> None:
        """The line a pipe gave, or the end of a line that the terminal's own echo did not finish."""
        self._write(self._painter.plain(echo) + "\n")

    def forget_column(self) -> None:
        """A terminal echoed the person's Enter: the cursor stands at the start of a line."""
        self._is_at_line_start = True

    def flush(self) -> None:
        if self._stream is not None:
            with _told_failures():
                self._stream.flush()

    def _stream_text(self, kind: DeltaKind, text: str) -> None:
        if self._streaming is not kind:
            self._end_stream()
            self._streaming = kind
            if kind is DeltaKind.THINKING:
                self._write(self._painter.text(self._texts.screen("model.thinking"), Style.DIM))
        style = Style.DIM if kind is DeltaKind.THINKING else Style.PLAIN
        self._write(self._painter.text(self._cleaner.feed(text), style))

    def _end_stream(self) -> None:
        if self._streaming is not None:
            self._write(self._cleaner.finish())
            self._streaming = None
        if not self._is_at_line_start:
            self._write("\n")

    def _write(self, text: str) -> None:
        if not text:
            return
        self._is_at_line_start = text.endswith("\n")
        if self._stream is not None:
            with _told_failures():
                self._stream.write(text)


@contextmanager
def _told_failures() -> Generator[None]:
    """A full disk is for the person to know; a reader that left is not."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UserFacingError("cli.stdout_failed", what=reason_of(error)) from error
