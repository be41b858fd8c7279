"""Closes what a test of this room opened: an open connection would be reported as a leak of another test."""

from collections.abc import Iterator

import pytest

from tests.llm import asking


@pytest.fixture(autouse=True)
def _clients_end_with_their_test() -> Iterator[None]:
    yield
    while asking.opened:
        asking.opened.pop().close()
