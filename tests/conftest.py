"""What holds for every test of the suite."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from evals.e1_replay import Unjudgeable, check, read_journal

from tests.random_examples import choose_repeatable_examples

choose_repeatable_examples()

# A shell starts what it puts in the background with SIGINT ignored, nohup with SIGHUP, and every program started from
# there inherits that.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(autouse=True)
def every_journal_keeps_the_rules(request: pytest.FixtureRequest) -> Iterator[None]:
    """The replayer judges each journal that a test leaves behind, whoever wrote it."""
    folder: Path | None = request.getfixturevalue("tmp_path") if "tmp_path" in request.fixturenames else None
    yield
    if folder is None or request.node.get_closest_marker("damages_journals"):
        return
    for path in folder.rglob("*.jsonl"):
        if path.parent.parent.name != "sessions":
            continue
        try:
            violations = check(read_journal(path.read_text(encoding="utf-8", errors="replace")))
        except Unjudgeable:
            continue
        assert violations == [], f"{path}: {violations}"
