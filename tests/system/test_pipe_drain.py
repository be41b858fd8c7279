import os
import threading
from collections.abc import Iterator

import pytest

from paicli.system.pipe_drain import MAX_PIPES, PipeDrain
from tests.system.processes import comes_true


@pytest.fixture
def drain() -> Iterator[PipeDrain]:
    made = PipeDrain()
    yield made
    made.close()


def pipe() -> tuple[int, int]:
    read, write = os.pipe()
    os.set_blocking(read, False)
    os.set_blocking(write, False)
    return read, write


def write_all(descriptor: int, size: int) -> int:
    """Bytes that could be written before the pipe stayed full for 100 ms."""
    written = 0

    def goes_on() -> bool:
        nonlocal written
        try:
            written += os.write(descriptor, bytes(min(65_536, size - written)))
        except BlockingIOError:
            return False
        return True

    while written < size and comes_true(goes_on, timeout_s=0.1):
        pass
    return written


def test_a_pipe_is_read_on_until_its_writer_closes_it(drain: PipeDrain) -> None:
    read, write = pipe()
    drain.adopt(read, 42)
    assert write_all(write, 1_000_000) == 1_000_000
    assert drain.held_leaders() == {42}
    os.close(write)
    assert comes_true(lambda: drain.held_leaders() == frozenset())
    assert comes_true(lambda: "pipe-drain" not in {thread.name for thread in threading.enumerate()})


def test_a_writer_without_end_is_slowed_down(drain: PipeDrain) -> None:
    read, write = pipe()
    drain.adopt(read, 42)
    assert 3_000_000 < write_all(write, 20_000_000) < 12_000_000
    os.close(write)


def test_past_the_limit_the_oldest_pipe_is_closed(drain: PipeDrain) -> None:
    writers: list[int] = []
    for leader in range(MAX_PIPES + 2):
        read, write = pipe()
        writers.append(write)
        drain.adopt(read, leader)
    assert comes_true(lambda: drain.held_leaders() == frozenset(range(2, MAX_PIPES + 2)))
    with pytest.raises(BrokenPipeError):
        os.write(writers[0], b"x")
    for write in writers:
        os.close(write)


def test_after_its_end_it_closes_what_it_is_given(drain: PipeDrain) -> None:
    drain.close()
    read, write = pipe()
    drain.adopt(read, 42)
    with pytest.raises(BrokenPipeError):
        os.write(write, b"x")
    os.close(write)
