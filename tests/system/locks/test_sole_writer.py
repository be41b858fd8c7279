import os
from pathlib import Path

import pytest

from paicli.system.locks.sole_writer import claim, kept_from_writers


def opened(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def test_one_writer_at_a_time_and_the_next_when_it_closes(tmp_path: Path) -> None:
    first, second = opened(tmp_path / "a"), opened(tmp_path / "a")
    assert (claim(first), claim(second), claim(first)) == (True, False, True)
    os.close(first)
    assert claim(second)
    os.close(second)


def test_a_file_is_kept_from_writers_while_one_looks_at_it(tmp_path: Path) -> None:
    writer = opened(tmp_path / "a")
    with kept_from_writers(tmp_path / "a") as is_free:
        assert is_free
        assert not claim(writer)
    assert claim(writer)
    with kept_from_writers(tmp_path / "a") as is_free:
        assert not is_free
    os.close(writer)
    with kept_from_writers(tmp_path / "missing") as is_free:
        assert is_free


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "a")
    with pytest.raises(OSError, match="symbolic"), kept_from_writers(tmp_path / "link"):
        pass
