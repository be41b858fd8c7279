import pytest

from paicli.tools.files.diffs import MAX_DIFF_LINES, unified_diff
from paicli.tools.files.encoding import TextEncoding, binary_kind, detect_encoding


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        ("café noir\n", "latin-1"),
        ("price: 5 €\n", "cp1252"),
        ("x = 1  # комментарий\n", "cp1251"),
    ],
)
def test_a_short_text_in_an_older_western_encoding_is_read_as_it_was_written(text: str, codec: str) -> None:  # C24
    raw = text.encode(codec)
    found = detect_encoding(raw)
    assert found is not None
    assert (found.decode(raw), found.encode(text)) == (text, raw)


@pytest.mark.parametrize(
    ("raw", "encoding"),
    [
        (b"", TextEncoding("utf-8")),
        ("中文".encode(), TextEncoding("utf-8")),
        (b"\xef\xbb\xbfa", TextEncoding("utf-8", b"\xef\xbb\xbf")),
        (b"\xff\xfea\0", TextEncoding("utf-16-le", b"\xff\xfe")),
        (b"\xff\xfe\0\0a\0\0\0", TextEncoding("utf-32-le", b"\xff\xfe\0\0")),
        (b"a\0b\0\n\0", TextEncoding("utf-16-le")),
        (b"\0a\0b\0\n", TextEncoding("utf-16-be")),
        (bytes.fromhex("2320b2e2cad40d0a783d310d0a"), TextEncoding("gb18030")),  # C24
        ("// 注释\nint a;\n".encode("gbk"), TextEncoding("gb18030")),
        ("𠀀".encode("gb18030"), TextEncoding("gb18030")),
        (b"ID3 and BZh and GIF8 are words here\n", TextEncoding("utf-8")),
        (b"\x7fELF\x01\0", None),
        (b"a\0\0\0b\0\0\0", None),
        (b"\x1f\x8b\x08\xff", None),
        (b"\x80\x01\x02\x03\x04\xff\xfe", None),
    ],
)
def test_an_encoding_is_found_in_a_fixed_order(raw: bytes, encoding: TextEncoding | None) -> None:
    assert detect_encoding(raw) == encoding


def test_whatever_is_text_comes_back_byte_for_byte() -> None:
    for raw in (b"caf\xe9 \xff\n", b"\xa4\xff\xb2\n" * 5, "привет, мир\n".encode("cp1251"), b"na\xefve\n"):
        encoding = detect_encoding(raw)
        assert encoding is not None
        assert encoding.encode(encoding.decode(raw)) == raw


def test_every_two_byte_gb18030_code_comes_back() -> None:
    trails = [*range(0x40, 0x7F), *range(0x80, 0xFF)]
    raw = b"".join(bytes((lead, trail)) for lead in range(0x81, 0xFF) for trail in trails)
    encoding = TextEncoding("gb18030")
    assert encoding.encode(encoding.decode(raw)) == raw


def test_a_sample_may_end_within_a_character() -> None:
    for codec in ("utf-8", "gb18030"):
        raw = ("中" * 100).encode(codec)[:-1]
        assert detect_encoding(raw, is_whole=False) == TextEncoding(codec)


def test_a_kind_is_named_by_the_first_bytes() -> None:
    assert [binary_kind(raw) for raw in (b"RIFF\0\0\0\0WEBPVP8", b"PK\x03\x04", b"nothing")] == ["WebP", "ZIP", ""]


@pytest.mark.parametrize(
    ("old", "new", "diff"),
    [
        ("a\n", "a\n", ""),
        (None, "a\n", "--- /dev/null\n+++ b/f\n@@ -0,0 +1 @@\n+a"),
        ("a\n", "", "--- a/f\n+++ b/f\n@@ -1 +0,0 @@\n-a"),
        ("a\nb", "a\nb\n", "--- a/f\n+++ b/f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b"),
        ("a\r\n", "a\n", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a␍\n+a"),
        ("a\r\n", "b\r\n", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b"),
    ],
)
def test_a_diff_shows_what_changes(old: str | None, new: str, diff: str) -> None:
    assert unified_diff(old, new, "f").text == diff


def test_far_apart_changes_are_hunks_of_their_own() -> None:
    old = [f"line {n}\n" for n in range(10_000)]
    new = old.copy()
    new[10], new[9_990] = "first\n", "last\n"
    diff = unified_diff("".join(old), "".join(new), "f")
    assert (diff.added, diff.removed, diff.text.count("@@ ")) == (2, 2, 2)


def test_a_rewrite_of_a_large_file_is_bounded() -> None:
    old = "".join(f"{n % 3}\n" for n in range(200_000))
    new = "".join(f"{n % 5}\n" for n in range(200_000))
    lines = unified_diff(old, new, "f").text.split("\n")
    assert len(lines) == MAX_DIFF_LINES
    assert lines[-1].startswith("\\ … +")
