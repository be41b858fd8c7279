import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROWS = re.findall(
    r"^\| (R\d+) \|.*?\| (.*?) \| (.*?) \|$", (ROOT / "docs" / "rules.md").read_text("utf-8"), re.MULTILINE
)


def test_there_are_ten_rules() -> None:
    assert [name for name, _, _ in ROWS] == [f"R{number}" for number in range(1, 11)]


@pytest.mark.parametrize(("rule", "places", "tests"), ROWS, ids=[row[0] for row in ROWS])
def test_a_rule_lives_where_the_document_says_and_its_tests_are_there(rule: str, places: str, tests: str) -> None:
    named = re.findall(r"`(\S+\.py)`((?:,? ?`[\w_]+`)+)?", places)
    assert named, rule
    for path, words in named:
        source = (ROOT / "src" / "paicli" / path).read_text("utf-8")
        missing = [word for word in re.findall(r"`(\w+)`", words) if not re.search(rf"\b{word}\b", source)]
        assert missing == [], path
    assert [path for path in re.findall(r"`(\S+)`", tests) if not (ROOT / "tests" / path).is_file()] == []
