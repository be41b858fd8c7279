import pytest
from hypothesis import given
from hypothesis import strategies as st

from paicli.context.rules.imports import imports_in, means_a_file
from tests.random_examples import examples


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("", []),
        ("@a.md", ["a.md"]),
        ("see @docs/a.md, and (@b.md)", ["docs/a.md", "b.md"]),
        ("- @./c.md\n- @~/d.md", ["./c.md", "~/d.md"]),
        ("参考「@规则.md」。另见@不算", ["规则.md", "不算"]),
        ("@a.md @a.md", ["a.md"]),
        ("me@example.com x@y", []),
        ("`@a.md` ``@b` .md`` @c.md", ["c.md"]),
        ("a ` alone @a.md", ["a.md"]),
        ("`span\nover @a.md lines` @b.md", ["b.md"]),
        ("`open\n\n@a.md\n\nclose`", ["a.md"]),
        ("```\n@a.md\n```\n@b.md", ["b.md"]),
        ("~~~py\n@a.md\n```\n@b.md\n~~~\n@c.md", ["c.md"]),
        ("````\n```\n@a.md\n````\n@b.md", ["b.md"]),
        ("```\n@a.md", []),
        ("``` not a fence ``` @a.md", ["a.md"]),
        ("    ```\n@a.md", ["a.md"]),
        ("@my\\ file.md", ["my file.md"]),
        ("@" + "a" * 600, []),
        ("@ @@ @.", []),
    ],
)
def test_what_is_an_import(text: str, paths: list[str]) -> None:
    assert list(imports_in(text)) == paths


@pytest.mark.parametrize(
    ("path", "is_meant"),
    [
        *((path, True) for path in ("a.md", "docs/a.txt", "./x", "~/x", "/x", "../x", "app.get")),
        *((path, False) for path in ("dataclass", "scope/package", ".env", "v1.2", "docs/")),
    ],
)
def test_a_missing_import_is_told_where_a_file_was_meant(path: str, is_meant: bool) -> None:
    assert means_a_file(path) is is_meant


@given(st.text(alphabet="`~@ab.\n \\", max_size=200))
@examples(200)
def test_no_text_breaks_it_and_every_path_stands_in_the_text(text: str) -> None:
    for path in imports_in(text):
        assert path.replace(" ", "\\ ") in text or path in text


def test_it_stays_linear_in_backticks_and_signs() -> None:  # else this would last for hours
    list(imports_in("`" * 200_000))
    list(imports_in("` `` " * 40_000))
    list(imports_in("@a " * 60_000))
