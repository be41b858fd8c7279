"""The process's three streams, as they may be: closed, broken, or in an encoding that can't say everything."""

import io
import os
import sys
from typing import NamedTuple, TextIO

from paicli.app.options import ExitStatus
from paicli.core.errors import UserFacingError, reason_of


class Streams(NamedTuple):
    """None: the stream was closed when the process started."""

    stdin: TextIO | None
    stdout: TextIO | None
    stderr: TextIO | None

    @property
    def is_terminal(self) -> bool:
        """A person sits at both ends."""
        return _is_terminal(self.stdin) and _is_terminal(self.stdout)

    @property
    def is_input_terminal(self) -> bool:
        return _is_terminal(self.stdin)

    @property
    def is_output_terminal(self) -> bool:
        return _is_terminal(self.stdout)

    @property
    def is_error_terminal(self) -> bool:
        return _is_terminal(self.stderr)

    @property
    def output_columns(self) -> int:
        """How wide the terminal is that stdout is; 0: it is none, or does not say."""
        try:
            return os.get_terminal_size(self.stdout.fileno()).columns if self.stdout is not None else 0
        except (OSError, ValueError):
            return 0

    def answer(self, text: str) -> bool:
        """Writes to stdout and flushes. False: it did not get there (closed, or nobody reads any more).

        Raises UserFacingError for what a person should know of, such as a full disk.
        """
        try:
            return _is_written(self.stdout, text)
        except OSError as error:
            raise UserFacingError("cli.stdout_failed", what=reason_of(error)) from error

    def end_with(self, text: str) -> ExitStatus:
        """As `answer`, for a command whose answer is all it does."""
        return ExitStatus.DONE if self.answer(text) else ExitStatus.FAILED

    def tell(self, text: str) -> None:
        """Writes a line to stderr; where nobody reads that, it is lost quietly.

        A name or a value in it may have come from anywhere: nothing of it steers the terminal.
        """
        from paicli.ui.sanitize import clean  # start-up: what only answers, such as `--help`, tells nothing

        write_out(self.stderr, clean(text) + "\n")

    def tell_painted(self, text: str) -> None:
        """As `tell`, for what a Painter has cleaned and coloured."""
        write_out(self.stderr, text + "\n")


def standard_streams() -> Streams:
    """The streams of this process, made so that no character can break them.

    A closed descriptor is taken by /dev/null first: the next file that is opened would get its number, and with it
    whatever a child writes.
    """
    while True:
        descriptor = os.open(os.devnull, os.O_RDWR)
        if descriptor > 2:
            os.close(descriptor)
            break
        os.set_inheritable(descriptor, True)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    return Streams(sys.stdin, sys.stdout, sys.stderr)


def write_out(stream: TextIO | None, text: str) -> bool:
    """Whole text, flushed. False when the stream is closed, its reader gone or its disk full."""
    try:
        return _is_written(stream, text)
    except OSError:
        return False


def can_say_everything(stream: TextIO | None) -> bool:
    """Its encoding is a Unicode one."""
    encoding = (getattr(stream, "encoding", None) or "utf-8").lower().replace("-", "").replace("_", "")
    return encoding.startswith("utf")


def _is_written(stream: TextIO | None, text: str) -> bool:
    """False when the stream is closed or its reader gone. Raises OSError for anything else."""
    if stream is None:
        return False
    try:
        stream.write(text)
        stream.flush()
    except (BrokenPipeError, ValueError):  # ValueError: closed by someone else
        return False
    return True


def _is_terminal(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False
