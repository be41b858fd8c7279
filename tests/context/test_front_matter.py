import pytest
from hypothesis import given
from hypothesis import strategies as st

from paicli.context.front_matter import FrontMatterBroken, split_front_matter
from tests.random_examples import examples


def fields(*lines: str) -> dict[str, str]:
    return split_front_matter("\n".join(("---", *lines, "---", "body")))[0]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("name: a", "description: does things"), {"name": "a", "description": "does things"}),
        (("name:    a  ", "description: x: y, z"), {"name": "a", "description": "x: y, z"}),
        (("name: 'it''s'", 'description: "a \\"b\\" \\u4e2d\\n"'), {"name": "it's", "description": 'a "b" 中\n'}),
        (("description: >", "  one", "  two", "", "  three"), {"description": "one two\n\nthree"}),
        (("description: |-", "  one", "    two"), {"description": "one\n  two"}),
        (("description: one", "  two", "  three"), {"description": "one two three"}),
        (("description:", "  one", "  two"), {"description": "one two"}),
        (("name: a # a comment", "# another", "description: b#c"), {"name": "a", "description": "b#c"}),
        (
            ("name: a", "metadata:", "  name: inner", "allowed-tools: [x, y]", "license: MIT"),
            {"name": "a", "metadata": "name: inner", "allowed-tools": "", "license": "MIT"},
        ),
        (("tags:", "  - a", "  - b", "name: a"), {"tags": "", "name": "a"}),
        (("name: a", "name: b"), {"name": "a"}),
        (("no key here", "name: a"), {"name": "a"}),
        ((), {}),
    ],
)
def test_the_fields_that_skills_use_are_read(lines: tuple[str, ...], expected: dict[str, str]) -> None:
    assert fields(*lines) == expected


def test_the_body_is_what_stands_below_whatever_the_line_ends() -> None:
    assert split_front_matter("---\r\nname: a\r\n---\r\n\r\nbody\r\n---\r\nmore\r\n") == (
        {"name": "a"},
        "body\n---\nmore",
    )


@pytest.mark.parametrize("text", ["", "name: a", "---\nname: a", " ---\nname: a\n---\n", "----\n---\n"])
def test_without_a_beginning_and_an_end_there_is_none(text: str) -> None:
    with pytest.raises(FrontMatterBroken):
        split_front_matter(text)


@given(st.lists(st.text(alphabet="ab:#'\"|>-[\\ \t", max_size=12), max_size=8))
@examples(200)
def test_no_front_matter_breaks_the_reader(lines: list[str]) -> None:
    found, body = split_front_matter("\n".join(("---", *lines, "---", "body")))
    assert body.endswith("body")
    assert all(isinstance(value, str) for value in found.values())
