import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    ROOT / "evals" / "README.md",
    ROOT / "benchmarks" / "README.md",
]


def text_of(page: Path) -> str:
    """Without its code blocks."""
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def anchors_of(page: Path) -> set[str]:
    titles = re.findall(r"^#+ (.+)$", text_of(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_into_the_repository_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", text_of(page)):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        found = (page.parent / path).resolve() if path else page
        assert found.exists(), target
        assert not anchor or anchor in anchors_of(found), target


def test_decisions_are_numbered_without_a_gap_and_fit_a_page() -> None:
    assert [page.name[:4] for page in DECISIONS] == [f"{number:04}" for number in range(1, len(DECISIONS) + 1)]
    for page in DECISIONS:
        lines = page.read_text(encoding="utf-8").splitlines()
        assert lines[0].startswith(f"# {page.name[:4]} "), page.name
        assert len(lines) <= 40, page.name


def test_the_index_of_decisions_lists_each_once_in_order() -> None:
    index = text_of(ROOT / "docs" / "decisions" / "README.md")
    assert re.findall(r"^\| \[(\d+)\]\((\S+)\) \|", index, re.MULTILINE) == [
        (page.name[:4], page.name) for page in DECISIONS
    ]


@pytest.mark.parametrize("name", ["README.md", "docs/guide.md"])
def test_the_chinese_page_has_the_same_sections(name: str) -> None:
    english, chinese = ROOT / name, ROOT / name.replace(".md", ".zh.md")
    assert len(anchors_of(english)) == len(anchors_of(chinese)) > 4


def test_the_rules_of_the_house_stay_short() -> None:
    assert len((ROOT / "PAI.md").read_text(encoding="utf-8").splitlines()) <= 120


def test_every_benchmark_has_a_row_that_says_how_it_measures() -> None:
    scripts = {
        path.stem for path in (ROOT / "benchmarks").glob("*.py") if "\ndef measure(" in path.read_text(encoding="utf-8")
    }
    rows = re.findall(r"^\| (\w+) \|", text_of(ROOT / "benchmarks" / "README.md"), re.MULTILINE)
    assert set(rows) - {"script"} == scripts - {"__main__"}


def test_every_make_target_says_what_it_is_for() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (phony,) = re.findall(r"^\.PHONY: (.+)$", makefile, re.MULTILINE)
    assert sorted(re.findall(r"^([a-z-]+):.*## \w", makefile, re.MULTILINE)) == sorted(phony.split())
