import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from paicli.core.errors import PolicyDenied, TurnCancelled
from paicli.core.messages import FileWritten, ToolResult
from tests.tools.workshop import Workshop


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path)


@pytest.fixture(params=[0o022, 0o002, 0o077])
def umask(request: pytest.FixtureRequest) -> Iterator[int]:
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def takes_attributes(path: Path) -> bool:
    try:
        os.setxattr(path, "user.probe", b"")
    except OSError:
        return False
    return True


def read_then_write(shop: Workshop, path: str, content: str) -> str:
    shop.run("read_file", {"path": path})
    return shop.said("write_file", {"path": path, "content": content})


def test_a_new_file_comes_with_its_folders(shop: Workshop) -> None:
    result = shop.run("write_file", {"path": "a/b/c.txt", "content": "hi\n"})
    path = shop.root / "a/b/c.txt"
    assert path.read_bytes() == b"hi\n"
    assert result == ToolResult(
        "已创建 a/b/c.txt(+1 行)。",
        FileWritten("a/b/c.txt", "--- /dev/null\n+++ b/a/b/c.txt\n@@ -0,0 +1 @@\n+hi", 1, 0, is_new=True),
        files_written=(str(path),),
    )
    assert os.listdir(path.parent) == ["c.txt"]


def test_a_new_file_honours_the_umask(shop: Workshop, umask: int) -> None:  # C28
    shop.run("write_file", {"path": "new", "content": "x"})
    assert stat.S_IMODE((shop.root / "new").stat().st_mode) == 0o666 & ~umask


def test_an_existing_file_must_have_been_read(shop: Workshop) -> None:  # C32
    path = shop.put("f", "A\n")
    assert shop.refusal("write_file", {"path": "f", "content": "B\n"}) == (
        "files.unread",
        "invalid_argument",
        "f 已存在,但你还没有读过它,没有写入。请先 read_file,再决定怎么改。",
    )
    assert path.read_bytes() == b"A\n"
    assert read_then_write(shop, "f", "B\n") == "已写入 f(+1 -1 行)。"


def test_a_part_that_was_read_counts_as_read(shop: Workshop) -> None:  # C32
    path = shop.put("f", "A\nB\n")
    shop.run("read_file", {"path": "f", "offset": 1, "limit": 1})
    shop.run("write_file", {"path": "f", "content": "C\n"})
    assert path.read_bytes() == b"C\n"


def test_a_read_that_showed_nothing_is_no_reading(shop: Workshop) -> None:
    path = shop.put("f", "A\nB\n")
    assert shop.refusal("read_file", {"path": "f", "offset": 9})[0] == "files.offset_beyond"
    assert shop.refusal("write_file", {"path": "f", "content": "C\n"})[0] == "files.unread"
    assert path.read_bytes() == b"A\nB\n"


def test_a_read_behind_the_end_of_what_changed_leaves_it_stale(shop: Workshop) -> None:
    path = shop.put("f", "A\nB\n")
    shop.run("read_file", {"path": "f"})
    path.write_bytes(b"C\n")
    assert shop.refusal("read_file", {"path": "f", "offset": 2})[0] == "files.offset_beyond"
    assert shop.refusal("write_file", {"path": "f", "content": "D\n"})[0] == "files.stale"
    assert path.read_bytes() == b"C\n"


def test_a_file_changed_since_it_was_read_is_not_overwritten(shop: Workshop) -> None:  # C32
    path = shop.put("f", "A\nB\n")
    shop.run("read_file", {"path": "f"})
    path.write_text("A\nB\nC\n")
    code, _, text = shop.refusal("write_file", {"path": "f", "content": "A2\nB\n"})
    assert (code, text) == ("files.stale", "f 在你读取之后被改动过,没有写入。请重新 read_file,再决定怎么改。")
    assert path.read_text() == "A\nB\nC\n"
    read_then_write(shop, "f", "A2\nB\nC\n")
    assert path.read_text() == "A2\nB\nC\n"


def test_same_size_and_same_times_do_not_hide_a_change(shop: Workshop) -> None:  # C32
    path = shop.put("f", "aaaa")
    shop.run("read_file", {"path": "f"})
    times = path.stat()
    path.write_text("bbbb")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert shop.refusal("write_file", {"path": "f", "content": "cccc"})[0] == "files.stale"
    assert path.read_text() == "bbbb"


def test_a_change_while_an_approval_waits_is_seen(shop: Workshop) -> None:  # C32
    path = shop.put("f", "old\n")
    shop.run("read_file", {"path": "f"})
    arguments = {"path": "f", "content": "new\n"}
    assert shop.preview("write_file", arguments) == FileWritten("f", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-old\n+new", 1, 1)
    assert path.read_text() == "old\n"
    path.write_text("theirs\n")
    assert shop.refusal("write_file", arguments)[0] == "files.stale"
    assert path.read_text() == "theirs\n"


def test_a_file_deleted_meanwhile_is_not_brought_back_unseen(shop: Workshop) -> None:  # C32
    path = shop.put("f", "A\n")
    shop.run("read_file", {"path": "f"})
    path.unlink()
    assert shop.refusal("write_file", {"path": "f", "content": "B\n"})[0] == "files.gone"
    assert shop.refusal("read_file", {"path": "f"})[0] == "files.not_found"
    shop.run("write_file", {"path": "f", "content": "B\n"})
    assert path.read_text() == "B\n"


def test_what_one_wrote_may_be_written_again(shop: Workshop) -> None:
    shop.run("write_file", {"path": "f", "content": "1\n"})
    shop.run("write_file", {"path": "f", "content": "2\n"})
    assert (shop.root / "f").read_text() == "2\n"


def test_the_same_content_changes_nothing(shop: Workshop) -> None:
    path = shop.put("f", "A\r\n")
    before = path.stat()
    assert read_then_write(shop, "f", "A\n") == "f 的内容本来就是这样,没有改动。"
    after = path.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.parametrize(
    ("old", "content", "new"),
    [
        (b"a\r\nb\r\n", "c\nd\n", b"c\r\nd\r\n"),  # C21
        (b"a\nb\r\nc\n", "x\ny\n", b"x\ny\n"),
        (b"a\nb\n", "x\r\ny\r\n", b"x\ny\n"),
        (b"\xef\xbb\xbfa\n", "b\n", b"\xef\xbb\xbfb\n"),  # C23
        (b"\xef\xbb\xbfa\n", "\ufeffb\n", b"\xef\xbb\xbfb\n"),
        (bytes.fromhex("2320b2e2cad40d0a783d310d0a"), "# 中文\n", b"# \xd6\xd0\xce\xc4\r\n"),  # C24
        ("\ufeffa\n".encode("utf-16-le"), "界\n", "\ufeff界\n".encode("utf-16-le")),
        (b"", "new\n", b"new\n"),
    ],
)
def test_encoding_mark_and_line_ends_stay(shop: Workshop, old: bytes, content: str, new: bytes) -> None:
    path = shop.put("f", old)
    read_then_write(shop, "f", content)
    assert path.read_bytes() == new


def test_a_change_of_encoding_is_said(shop: Workshop) -> None:  # C24
    path = shop.put("f", b"caf\xe9 \xff\n" * 3)
    assert "编码" in shop.said("read_file", {"path": "f"})
    assert shop.said("write_file", {"path": "f", "content": "中文\n"}).endswith("文件已改为 UTF-8。")
    assert path.read_text(encoding="utf-8") == "中文\n"


def test_surrogates_never_reach_the_file(shop: Workshop) -> None:  # R3
    shop.run("write_file", {"path": "f", "content": "\ud83d\ude00 \ud83d"})
    assert (shop.root / "f").read_bytes() == b"\xf0\x9f\x98\x80 \xef\xbf\xbd"


def test_over_five_megabytes_nothing_is_written(shop: Workshop) -> None:
    assert shop.refusal("write_file", {"path": "f", "content": "x" * 5_000_001})[0] == "files.too_large"
    shop.put("large", b"x" * 5_000_001)
    shop.run("read_file", {"path": "large"})
    assert shop.refusal("write_file", {"path": "large", "content": ""})[0] == "files.too_large"
    assert os.listdir(shop.root) == ["large"]


def test_a_binary_file_is_never_overwritten(shop: Workshop) -> None:
    path = shop.put("b", b"\x7fELF\0\0")
    shop.run("read_file", {"path": "b"})
    assert shop.refusal("write_file", {"path": "b", "content": "x"})[0] == "files.unread"
    assert shop.refusal("edit_file", {"path": "b", "old_text": "E", "new_text": "x"})[0] == "files.binary_not_writable"
    assert path.read_bytes() == b"\x7fELF\0\0"


@pytest.mark.parametrize("mode", [0o755, 0o664, 0o600])
def test_the_mode_stays(shop: Workshop, mode: int) -> None:  # C28
    path = shop.put("run.sh", "a\n")
    path.chmod(mode)
    read_then_write(shop, "run.sh", "b\n")
    assert (stat.S_IMODE(path.stat().st_mode), path.read_text()) == (mode, "b\n")


def test_a_read_only_file_stays_as_it_is(shop: Workshop) -> None:  # C28
    path = shop.put("f", "a\n")
    path.chmod(0o444)
    shop.run("read_file", {"path": "f"})
    assert shop.refusal("write_file", {"path": "f", "content": "b"})[:2] == ("files.read_only", "permission")
    assert (path.read_text(), os.listdir(shop.root)) == ("a\n", ["f"])


def test_a_read_only_folder_stays_as_it_is(shop: Workshop) -> None:  # C28
    path = shop.put("d/f", "a\n")
    path.parent.chmod(0o555)
    shop.run("read_file", {"path": "d/f"})
    assert shop.refusal("write_file", {"path": "d/f", "content": "b"})[0] == "files.read_only_folder"
    assert shop.refusal("write_file", {"path": "d/new", "content": "b"})[0] == "files.read_only_folder"
    path.parent.chmod(0o755)
    assert (path.read_text(), os.listdir(path.parent)) == ("a\n", ["f"])


def test_a_link_stays_a_link_and_its_target_is_written(shop: Workshop) -> None:
    target = shop.put("real/f", "a\n")
    (shop.root / "link").symlink_to("real/f")
    read_then_write(shop, "link", "b\n")
    assert ((shop.root / "link").is_symlink(), target.read_text()) == (True, "b\n")


def test_hard_links_stay_together(shop: Workshop) -> None:
    path = shop.put("f", "a long first content\n")
    os.link(path, shop.root / "twin")
    read_then_write(shop, "f", "b\n")
    assert (shop.root / "twin").read_text() == "b\n"
    assert sorted(os.listdir(shop.root)) == ["f", "twin"]


def test_extended_attributes_stay(shop: Workshop) -> None:
    path = shop.put("f", "a\n")
    if not takes_attributes(path):
        pytest.skip("this file system has no extended attributes")
    os.setxattr(path, "user.note", b"kept")
    read_then_write(shop, "f", "b\n")
    assert os.getxattr(path, "user.note") == b"kept"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give files away")
def test_the_owner_stays(shop: Workshop) -> None:
    path = shop.put("f", "a\n")
    path.chmod(0o4755)
    os.chown(path, 1234, 4321)
    path.chmod(0o4755)
    read_then_write(shop, "f", "b\n")
    status = path.stat()
    assert (status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)) == (1234, 4321, 0o4755)


def test_nothing_is_written_after_a_cancel(shop: Workshop) -> None:
    shop.cancel.cancel()
    with pytest.raises(TurnCancelled):
        shop.run("write_file", {"path": "f", "content": "x"})
    assert os.listdir(shop.root) == []


def test_nothing_is_written_outside_the_project(shop: Workshop) -> None:  # C79
    outside = shop.root.parent / f"outside-{shop.root.name}"
    outside.mkdir()
    (shop.root / "newdir").symlink_to(outside)
    for path in ("../x", "newdir/new.txt", str(outside / "x")):
        with pytest.raises(PolicyDenied):
            shop.run("write_file", {"path": path, "content": "x"})
    assert os.listdir(outside) == []


def test_a_folder_or_a_pipe_is_no_file_to_write(shop: Workshop) -> None:
    (shop.root / "d").mkdir()
    os.mkfifo(shop.root / "p")
    assert shop.refusal("write_file", {"path": "d", "content": "x"})[0] == "files.is_folder"
    assert shop.refusal("write_file", {"path": "p", "content": "x"})[0] == "files.is_fifo"
    assert shop.refusal("write_file", {"path": ".", "content": "x"})[0] == "files.is_folder"
    shop.put("plain", "x")
    assert shop.refusal("write_file", {"path": "plain/inner", "content": "x"})[0] == "files.not_a_folder"
