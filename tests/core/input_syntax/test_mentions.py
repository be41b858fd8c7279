import pytest
from hypothesis import given
from hypothesis import strategies as st

from paicli.core.input_syntax.mentions import find_mentions, unfinished_mention, written_mention
from tests.random_examples import examples


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("look at @src/a.py please", ["src/a.py"]),
        ("@a.py", ["a.py"]),
        ("(see @a.py)", ["a.py"]),
        ("is it @a.py?", ["a.py"]),
        ("@a.py, @b.py; and @docs/.", ["a.py", "b.py", "docs/"]),
        ("@app/[id].tsx and @copy(1).txt.", ["app/[id].tsx", "copy(1).txt"]),
        ("@\"my file.txt\" and @'other file.txt'", ["my file.txt", "other file.txt"]),
        ('@"no end', ["no end"]),
        ("请看@src/a.py\uff0c再看 @文档/说明.md\u3002", ["src/a.py", "文档/说明.md"]),
        ("见\uff08@a.py\uff09和\u201c@b.py\u201d", ["a.py", "b.py"]),
        ('@"a\\"b\\\\c\\n\\u202e\\xff"', ['a"b\\c\n\u202e\udcff']),
        ("@.", ["."]),
        ("@~/x @/etc/passwd @../up", ["~/x", "/etc/passwd", "../up"]),
        ("mail me@example.com, x.y+z@example.com", []),
        ("\\@a.py and @@a.py", []),
        ("`@dataclass` and\n```\n@property\n```\n", []),
        ("@docs:file:///a.md", []),
        ("@ and @, and @", []),
        ("curl -d=@a.json", []),
    ],
)
def test_mentions_in_words(text: str, shown: list[str]) -> None:
    assert [mention.shown for mention in find_mentions(text)] == shown


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("@a.py里的函数", ("a.py里的函数", "a.py")),
        ("@a.py).", ("a.py).", "a.py")),
        ("@a.py:12", ("a.py:12", "a.py")),
        ("@a.py,b.py", ("a.py,b.py", "a.py")),
        ('@"a.py)"', ("a.py)",)),
    ],
)
def test_a_run_that_may_end_earlier_has_several_readings_longest_first(text: str, readings: tuple[str, ...]) -> None:
    assert find_mentions(text)[0].readings == readings


@pytest.mark.parametrize(
    ("path", "written"),
    [
        ("src/a.py", "@src/a.py"),
        ("文档/说明.md", "@文档/说明.md"),
        ("my file.txt", '@"my file.txt"'),
        ("a(1).txt", '@"a(1).txt"'),
        ("end.", '@"end."'),
        ("a\nb.txt", '@"a\\nb.txt"'),
        ("bad\udcff", '@"bad\\xff"'),  # C33
        ("shot 1\u202fPM.txt", '@"shot 1\\u202fPM.txt"'),
        ("-rf", "@-rf"),
        (" lead", '@" lead"'),
    ],
)
def test_a_path_is_written_so_that_it_is_read_back(path: str, written: str) -> None:
    assert written_mention(path) == written
    assert find_mentions(f"看 {written} 好")[0].readings[0] == path


def test_a_long_text_full_of_marks_and_code_takes_no_long() -> None:
    text = "`a` @b.py " * 20_000
    assert len(find_mentions(text)) == 20_000


def test_a_folder_ends_with_a_slash_and_a_quoted_one_stays_open() -> None:
    assert [written_mention(path, is_folder=True) for path in ("src", "my docs")] == ["@src/", '@"my docs/']


@examples(200)
@given(st.text(min_size=1, max_size=12).filter(lambda path: not any(0xD800 <= ord(c) <= 0xDFFF for c in path)))
def test_any_path_comes_back_from_how_it_is_written(path: str) -> None:
    if path.strip("./"):
        assert find_mentions("x " + written_mention(path) + " y")[0].readings[0] == path


@pytest.mark.parametrize(
    ("typed", "path", "start"),
    [
        ("@", "", 0),
        ("see @sr", "sr", 4),
        ("看@文", "文", 1),
        ('@"my d', "my d", 0),
        ('@"', "", 0),
        ("@a.py @b", "b", 6),
        ('@"a b" @"c d', "c d", 7),
    ],
)
def test_the_mention_that_is_being_typed(typed: str, path: str, start: int) -> None:
    found = unfinished_mention(typed)
    assert found is not None
    assert (found.start, found.path) == (start, path)


@pytest.mark.parametrize("typed", ["", "a", "me@exa", "@a ", '@"a"', "@a\nb", "\\@a"])
def test_no_mention_is_being_typed(typed: str) -> None:
    assert unfinished_mention(typed) is None
