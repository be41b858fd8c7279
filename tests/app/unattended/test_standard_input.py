# C52: a pipe that stays open does not hold up a run that has its prompt.
import os
import threading
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import TextIO

import pytest

from paicli.app.unattended import standard_input
from paicli.app.unattended.standard_input import LIMIT_BYTES, PipedText, read_as_prompt, read_beside


@pytest.fixture
def pipe() -> Iterator[tuple[TextIO, int]]:
    reading, writing = os.pipe()
    with os.fdopen(reading) as stdin:
        yield stdin, writing


def test_a_pipe_without_a_byte_is_left_alone(pipe: tuple[TextIO, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standard_input, "FIRST_BYTE_S", 0.05)
    stdin, writing = pipe

    assert read_beside(stdin) == PipedText()
    os.close(writing)


def test_a_pipe_that_began_is_read_to_its_end(pipe: tuple[TextIO, int]) -> None:
    stdin, writing = pipe
    os.write(writing, "前半".encode())
    began = threading.Event()

    def go_on() -> None:
        began.wait()
        os.write(writing, "后半\n".encode())
        os.close(writing)

    thread = threading.Thread(target=go_on)
    thread.start()
    began.set()

    assert read_beside(stdin) == PipedText("前半后半\n")
    thread.join()


def test_a_pipe_that_ends_at_once_is_empty(pipe: tuple[TextIO, int]) -> None:
    stdin, writing = pipe
    os.close(writing)

    assert read_beside(stdin) == PipedText()
    assert read_as_prompt(stdin) == PipedText()


def test_no_input_at_all_is_empty() -> None:
    with open(os.devnull) as nothing:
        for stdin in (None, nothing, StringIO("has no descriptor")):
            assert read_beside(stdin) == PipedText()
            assert read_as_prompt(stdin) == PipedText()


def test_a_terminal_is_not_read() -> None:
    leader, follower = os.openpty()
    with os.fdopen(leader, "wb"), os.fdopen(follower) as terminal:
        assert read_beside(terminal) == PipedText()
        assert read_as_prompt(terminal) == PipedText()


def test_a_folder_as_input_is_empty(tmp_path: Path) -> None:
    descriptor = os.open(tmp_path, os.O_RDONLY)
    try:
        with open(os.devnull) as stdin:
            os.dup2(descriptor, stdin.fileno())
            assert read_beside(stdin) == PipedText()
    finally:
        os.close(descriptor)


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"\xef\xbb\xbfhi", PipedText("hi")),
        (b"a\xffb", PipedText("a\ufffdb")),
        (b"a\xe4\xbf", PipedText("a\ufffd")),
        (b"x" * LIMIT_BYTES, PipedText("x" * LIMIT_BYTES)),
        (b"x" * (LIMIT_BYTES + 1), PipedText("x" * LIMIT_BYTES, is_cut=True)),
        (b"xx" + "界".encode() * 400_000, PipedText("xx" + "界" * 333_332, is_cut=True)),
    ],
)
def test_a_file_as_input_is_decoded_and_cut_between_characters(tmp_path: Path, raw: bytes, expected: PipedText) -> None:
    path = tmp_path / "input"
    path.write_bytes(raw)

    with path.open() as stdin:
        assert read_beside(stdin) == expected
