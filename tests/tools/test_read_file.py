import os
import socket
import tracemalloc
from pathlib import Path

import pytest

from paicli.core.errors import PolicyDenied, TurnCancelled
from paicli.core.messages import FileRead, ToolResult
from paicli.tools.ledger import content_hash
from tests.tools.workshop import Workshop


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path)


def test_lines_come_numbered_with_what_was_read(shop: Workshop) -> None:
    path = shop.put("src/a.py", "one\ntwo\n")
    assert shop.run("read_file", {"path": "src/a.py"}) == ToolResult(
        "1\tone\n2\ttwo", FileRead("src/a.py", 1, 2, "utf-8"), files_read=(str(path),)
    )


def test_reading_notes_the_hash_of_the_whole_file_even_for_one_line(shop: Workshop) -> None:
    path = shop.put("a", "one\ntwo\nthree\n")
    assert shop.said("read_file", {"path": "a", "offset": 2, "limit": 1}) == (
        "2\ttwo\n[已显示第 2-2 行,后面还有;续读:offset=3]"
    )
    assert shop.ledgers["react"].paths() == {str(path): content_hash(b"one\ntwo\nthree\n")}


def test_following_the_hint_reaches_the_end(shop: Workshop) -> None:
    shop.put("a", "".join(f"{n}\n" for n in range(1, 5001)))
    seen: list[str] = []
    offset = 1
    while offset:
        *lines, last = shop.said("read_file", {"path": "a", "offset": offset}).splitlines()
        is_hint = last.startswith("[")
        seen += lines if is_hint else [*lines, last]
        offset = int(last.rpartition("offset=")[2].rstrip("]")) if is_hint else 0
    assert seen == [f"{n}\t{n}" for n in range(1, 5001)]


def test_an_offset_behind_the_end_names_the_number_of_lines(shop: Workshop) -> None:
    shop.put("a", "one\ntwo")
    assert shop.refusal("read_file", {"path": "a", "offset": 3}) == (
        "files.offset_beyond",
        "invalid_argument",
        "a 只有 2 行。",
    )


def test_an_empty_file_says_so(shop: Workshop) -> None:
    shop.put("a", "")
    assert shop.said("read_file", {"path": "a"}) == "(空文件)"


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        (b"\xef\xbb\xbfa=1\nb=2", "1\ta=1\n2\tb=2"),  # C23: no U+FEFF is shown
        (bytes.fromhex("2320b2e2cad40d0a783d310d0a"), "[编码:gb18030]\n1\t# 测试\n2\tx=1"),  # C24
        ("\ufeff中a\n".encode("utf-16-le"), "[编码:utf-16-le]\n1\t中a"),
        ("\ufeff中a\n".encode("utf-16-be"), "[编码:utf-16-be]\n1\t中a"),
        ("plain ascii\n".encode("utf-16-le"), "[编码:utf-16-le]\n1\tplain ascii"),
        (b"a\r\nb\r\n", "1\ta\n2\tb"),
        (b"a\rb\r", "1\ta\n2\tb"),
        ("a\u2028b\x0cc\n".encode(), "1\ta\u2028b\x0cc"),  # R3: only CR and LF end lines
    ],
)
def test_text_is_decoded_by_what_its_bytes_are(shop: Workshop, raw: bytes, shown: str) -> None:
    shop.put("f", raw)
    assert shop.said("read_file", {"path": "f"}) == shown


def test_one_very_long_line_is_cut_and_the_hint_leads_on(shop: Workshop) -> None:  # C30
    line = "a界" * 1_500_000
    shop.put("min.js", line)
    first = shop.said("read_file", {"path": "min.js"})
    assert first == f"1\t{line[:2000]}…[本行共 3000000 个字符,已截断;续读:offset=1 limit=1 column=2001]"
    second = shop.said("read_file", {"path": "min.js", "offset": 1, "limit": 1, "column": 2001})
    assert second == f"1\t{line[2000:4000]}…[本行共 3000000 个字符,已截断;续读:offset=1 limit=1 column=4001]"
    last = shop.said("read_file", {"path": "min.js", "column": 2_999_001})
    assert last == f"1\t{line[2_999_000:]}[行尾,本行共 3000000 个字符]"


def test_a_result_stays_below_its_cap(shop: Workshop) -> None:
    shop.put("wide", "".join("x" * 1999 + "\n" for _ in range(1000)))
    said = shop.said("read_file", {"path": "wide"})
    assert len(said) < 103_000
    assert said.endswith("\n[已显示第 1-50 行,后面还有;续读:offset=51]")


def test_a_huge_file_costs_what_the_asked_lines_cost(shop: Workshop) -> None:
    path = shop.put("huge.log", b"".join(b"line %06d\n" % n for n in range(1, 10_001)))
    os.truncate(path, 5_000_000_000)  # a hole behind the lines
    tracemalloc.start()
    said = shop.said("read_file", {"path": "huge.log", "offset": 1500, "limit": 2})
    peak_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert said == "1500\tline 001500\n1501\tline 001501\n[已显示第 1500-1501 行,后面还有;续读:offset=1502]"
    assert peak_bytes < 2_000_000


def test_a_huge_hole_is_binary_and_costs_nothing(shop: Workshop) -> None:  # C31
    os.truncate(shop.put("sparse", b""), 2_000_000_000)
    assert shop.said("read_file", {"path": "sparse"}) == "sparse 是二进制文件(未知类型,2.0 GB),不显示内容。"
    arguments = {"path": "sparse", "old_text": "a", "new_text": "b"}
    assert shop.refusal("edit_file", arguments)[0] == "files.too_large"


def test_a_large_text_is_streamed(shop: Workshop) -> None:
    path = shop.root / "large.log"
    with path.open("wb") as file:
        file.writelines(b"line %07d \xe4\xb8\xad\n" % n for n in range(1, 400_001))
    tracemalloc.start()
    said = shop.said("read_file", {"path": "large.log", "offset": 399_999, "limit": 5})
    peak_bytes = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert said == "399999\tline 0399999 中\n400000\tline 0400000 中"
    assert peak_bytes < 3_000_000
    assert shop.ledgers["react"].paths() == {}  # too large to be overwritten: no hash is needed


def test_streaming_stops_when_the_turn_is_cancelled(shop: Workshop) -> None:
    (shop.root / "large.log").write_bytes(b"line\n" * 1_100_000)
    shop.cancel.cancel()
    with pytest.raises(TurnCancelled):
        shop.run("read_file", {"path": "large.log", "offset": 900_000})


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        (b"\x7fELF\x02\x01\x01\0\0", "ELF"),
        (b"\x89PNG\r\n\x1a\n\0", "PNG"),
        (b"%PDF-1.4 x", "PDF"),
        (b"a\0b", "未知类型"),
    ],
)
def test_a_binary_file_is_named_by_kind_and_size(shop: Workshop, raw: bytes, kind: str) -> None:  # C31
    shop.put("b", raw)
    assert shop.said("read_file", {"path": "b"}) == f"b 是二进制文件({kind},{len(raw)} B),不显示内容。"
    assert shop.ledgers["react"].paths() == {}


def test_what_is_no_regular_file_is_refused_at_once(shop: Workshop) -> None:  # C31
    os.mkfifo(shop.root / "p")
    (shop.root / "folder").mkdir()
    with socket.socket(socket.AF_UNIX) as listening:
        here = os.getcwd()
        os.chdir(shop.root)  # a socket's path may be no longer than about 100 bytes
        listening.bind("s")
        os.chdir(here)
        assert [shop.refusal("read_file", {"path": name})[0] for name in ("p", "s", "folder")] == [
            "files.is_fifo",
            "files.is_socket",
            "files.is_folder",
        ]
        assert shop.refusal("edit_file", {"path": "p", "old_text": "a", "new_text": "b"})[0] == "files.is_fifo"


def test_a_device_is_refused_at_once() -> None:  # C31
    assert Workshop(Path("/dev")).refusal("read_file", {"path": "zero"})[0] == "files.is_device"


def test_a_missing_file_says_so_and_a_refused_one_is_the_guards(shop: Workshop) -> None:
    assert shop.refusal("read_file", {"path": "no"}) == ("files.not_found", "not_found", "no 不存在。")
    shop.put("plain", "x")
    assert shop.refusal("read_file", {"path": "plain/inner"})[0] == "files.not_a_folder"
    with pytest.raises(PolicyDenied):
        shop.run("read_file", {"path": "../x"})


def test_the_exact_name_wins_over_one_that_looks_like_it(shop: Workshop) -> None:  # C33
    shop.put("shot 1\u202fPM.txt", "narrow")
    shop.put("shot 1 PM.txt", "plain")
    assert shop.said("read_file", {"path": "shot 1 PM.txt"}) == "1\tplain"
    assert shop.said("read_file", {"path": "shot 1\u202fPM.txt"}) == "1\tnarrow"


def test_a_single_look_alike_is_read_and_named(shop: Workshop) -> None:  # C33
    shop.put("shot 1\u202fPM.txt", "narrow")
    shop.put("de\u0301j/e\u0301.txt", "nfd")
    assert shop.said("read_file", {"path": "shot 1 PM.txt"}) == (
        "[没有 shot 1 PM.txt 这个准确的名字,读取的是唯一写法相近的 shot 1\u202fPM.txt]\n1\tnarrow"
    )
    assert shop.said("read_file", {"path": "d\u00e9j/\u00e9.txt"}).endswith("\n1\tnfd")


def test_two_look_alikes_are_no_answer(shop: Workshop) -> None:  # C33
    shop.put("a\u202fb", "1")
    shop.put("a\u00a0b", "2")
    assert shop.refusal("read_file", {"path": "a b"})[0] == "files.not_found"


def test_a_look_alike_is_never_edited_or_overwritten(shop: Workshop) -> None:  # C33
    path = shop.put("e\u0301.txt", "old")
    code, _, text = shop.refusal("edit_file", {"path": "\u00e9.txt", "old_text": "old", "new_text": "new"})
    assert (code, "e\u0301.txt" in text) == ("files.not_found_similar", True)
    shop.run("write_file", {"path": "\u00e9.txt", "content": "own"})
    assert (path.read_text(), sorted(os.listdir(shop.root))) == ("old", ["e\u0301.txt", "\u00e9.txt"])


@pytest.mark.parametrize("name", ["-rf", " lead", "a\nb.txt", "bad\udcff"])
def test_odd_names_are_read_and_edited_as_they_are(shop: Workshop, name: str) -> None:  # C33
    path = shop.root / name
    path.write_text("x = 1\n")
    shop.run("edit_file", {"path": name, "old_text": "1", "new_text": "2"})
    result = shop.run("read_file", {"path": name})
    assert (result.content, path.read_text()) == ("1\tx = 2", "x = 2\n")
    assert isinstance(result.detail, FileRead)
    result.detail.path.encode()  # fit for a request


def test_names_as_a_listing_shows_them_can_be_read(shop: Workshop) -> None:  # C33
    (shop.root / "bad\udcff").write_text("x")
    (shop.root / "a\nb.txt").write_text("y")
    assert shop.said("read_file", {"path": "bad\ufffd"}).endswith("\n1\tx")
    assert shop.said("read_file", {"path": "a\\nb.txt"}).endswith("\n1\ty")
