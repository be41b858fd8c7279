import os
import stat
import threading
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from paicli.core.messages import FileWritten, ToolResult
from tests.patience import PATIENCE_S
from tests.tools.workshop import Workshop

GBK = bytes.fromhex("2320b2e2cad40d0a783d310d0a")


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    return Workshop(tmp_path)


def edit(shop: Workshop, path: str, old: str, new: str, **more: Any) -> ToolResult:
    return shop.run("edit_file", {"path": path, "old_text": old, "new_text": new, **more})


@pytest.mark.parametrize(
    ("before", "old", "new", "after"),
    [
        ("610d0a620a63", "c", "C", "610d0a620a43"),  # C21
        ("610d0a620d0a", "b", "c\nd", "610d0a630d0a640d0a"),  # C21: a CRLF file stays one
        ("610a620a", "b", "c\nd", "610a630a640a"),
        ("610d0a62", "b", "c\nd", "610d0a630d0a64"),
        ("610d620d", "b", "c\nd", "610d630d640d"),
        ("efbbbf613d310a623d32", "b=2", "b=3", "efbbbf613d310a623d33"),  # C23 (i)
        ("efbbbf613d310a623d32", "a=1", "a=9", "efbbbf613d390a623d32"),  # C23 (ii)
        ("780a", "x", "y", "790a"),  # C23 (iii)
        ("780a", "x\n", "y", "79"),  # C23 (iii)
        (GBK.hex(), "x=1", "x=2", "2320b2e2cad40d0a783d320d0a"),  # C24
        (GBK.hex(), "测试", "中文", "2320d6d0cec40d0a783d310d0a"),  # C24
        ("fffe61000a006200", "b", "界", "fffe61000a004c75"),
    ],
)
def test_only_the_span_changes(shop: Workshop, before: str, old: str, new: str, after: str) -> None:
    path = shop.put("f", bytes.fromhex(before))
    edit(shop, "f", old, new)
    assert path.read_bytes().hex() == after


def test_the_result_says_where_and_shows_the_diff(shop: Workshop) -> None:
    path = shop.put("f", "a\nb\nc\n")
    assert edit(shop, "f", "b", "B") == ToolResult(
        "已修改 f:第 2 行(+1 -1 行)。",
        FileWritten("f", "--- a/f\n+++ b/f\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c", 1, 1),
        files_written=(str(path),),
    )


def test_a_preview_shows_the_same_and_writes_nothing(shop: Workshop) -> None:
    path = shop.put("f", "a\n")
    arguments = {"path": "f", "old_text": "a", "new_text": "b"}
    shown = shop.preview("edit_file", arguments)
    assert path.read_text() == "a\n"
    assert shop.run("edit_file", arguments).detail == shown


def test_a_lost_final_newline_stands_in_the_diff(shop: Workshop) -> None:  # C23
    shop.put("f", "x\n")
    detail = edit(shop, "f", "x\n", "y").detail
    assert detail == FileWritten("f", "--- a/f\n+++ b/f\n@@ -1 +1 @@\n-x\n+y\n\\ No newline at end of file", 1, 1)


@pytest.mark.parametrize(
    ("content", "old", "new", "code"),
    [
        (
            "def a():\n    debug = True\ndef b():\n    debug = True\n",
            "    debug = True",
            "    debug = 0",
            "edit.several",
        ),
        ("foo\nfoo\nfoo\n", "foo\nfoo\n", "bar\n", "edit.several"),  # overlapping
        ("foo\n", "", "x", "edit.old_empty"),
        ("foo\n", "foo", "foo", "edit.same"),
        ("foo\n", "bar", "x", "edit.not_found"),
    ],
)
def test_what_is_not_exactly_one_place_changes_nothing(  # C26
    shop: Workshop, content: str, old: str, new: str, code: str
) -> None:
    path = shop.put("f", content)
    assert shop.refusal("edit_file", {"path": "f", "old_text": old, "new_text": new})[0] == code
    assert path.read_text() == content


def test_several_matches_are_counted_and_placed(shop: Workshop) -> None:  # C26
    shop.put("f", "foo\nfoo\nfoo\n")
    assert shop.refusal("edit_file", {"path": "f", "old_text": "foo\nfoo\n", "new_text": "x"}) == (
        "edit.several",
        "invalid_argument",
        "old_text 匹配了 2 处(第 1, 2 行),没有修改。请加上前后文使它唯一,或用 replace_all。",
    )


def test_replace_all_changes_every_place(shop: Workshop) -> None:  # C26
    path = shop.put("f", "debug = True\nx\ndebug = True\n")
    assert edit(shop, "f", "True", "False", replace_all=True).content == "已修改 f:第 1, 3 行(+2 -2 行)。"
    assert path.read_text() == "debug = False\nx\ndebug = False\n"


def test_replace_all_is_exact_only(shop: Workshop) -> None:
    path = shop.put("f", "x = “a”\n")
    arguments = {"path": "f", "old_text": 'x = "a"', "new_text": "y", "replace_all": True}
    assert shop.refusal("edit_file", arguments)[0] == "edit.not_found_for_all"
    assert path.read_text() == "x = “a”\n"


def test_a_corrected_match_is_said(shop: Workshop) -> None:  # C26 (v)
    path = shop.put("f", "a = 1\nb = 2\n")
    result = edit(shop, "f", "a = 1 \nb", "a = 3\nb")
    assert result.content.endswith("已改在唯一对应的位置。")
    assert isinstance(result.detail, FileWritten)
    assert (result.detail.is_corrected, path.read_text()) == (True, "a = 3\nb = 2\n")


@pytest.mark.parametrize("new", [r"'^a$' \1 \g<0> \n", "$& $$ {x} %s {0}", "\\"])
def test_a_replacement_is_no_template(shop: Workshop, new: str) -> None:  # C27
    path = shop.put("f", "v = OLD\n")
    edit(shop, "f", "OLD", new)
    assert path.read_text() == f"v = {new}\n"


@pytest.mark.parametrize("old", ["a.b(c)[d]", r"\d+", "^$", "{old}"])
def test_the_old_text_is_no_pattern(shop: Workshop, old: str) -> None:  # C27
    path = shop.put("f", f"axb(c)[d] 12\n{old}\n")
    edit(shop, "f", old, "NEW")
    assert path.read_text() == "axb(c)[d] 12\nNEW\n"


def test_what_the_encoding_lacks_is_refused(shop: Workshop) -> None:  # C24
    raw = b"caf\xe9 \xff\n" * 3
    path = shop.put("f", raw + b"end\n")
    code, _, text = shop.refusal("edit_file", {"path": "f", "old_text": "end", "new_text": "中"})
    assert (code, "中" in text) == ("edit.not_encodable", True)
    assert path.read_bytes() == raw + b"end\n"


def test_all_edits_or_none(shop: Workshop) -> None:
    path = shop.put("f", "a\nb\nc\n")
    edits = [{"old_text": "a", "new_text": "A"}, {"old_text": "nope", "new_text": "B"}]
    code, _, text = shop.refusal("edit_file", {"path": "f", "edits": edits})
    assert (code, text.startswith("第 2 处编辑:")) == ("edit.not_found", True)
    assert path.read_text() == "a\nb\nc\n"
    edits[1] = {"old_text": "c", "new_text": "C"}
    assert shop.said("edit_file", {"path": "f", "edits": edits}) == "已修改 f:第 1, 3 行(+2 -2 行)。"
    assert path.read_text() == "A\nb\nC\n"


def test_the_names_of_other_agents_are_understood(shop: Workshop) -> None:
    path = shop.put("f", "a b\n")
    shop.run("edit_file", {"path": "f", "old_string": "a", "new_string": "A"})
    shop.run("edit_file", {"path": "f", "edits": [{"old_string": "b", "new_string": "B"}]})
    assert path.read_text() == "A B\n"


@pytest.mark.parametrize(
    "arguments",
    [
        {"path": "f"},
        {"path": "f", "old_text": "a"},
        {"path": "f", "new_text": "a"},
        {"path": "f", "old_text": "a", "new_text": "b", "edits": [{"old_text": "a", "new_text": "b"}]},
    ],
)
def test_half_an_edit_is_refused(shop: Workshop, arguments: dict[str, Any]) -> None:
    shop.put("f", "a\n")
    assert shop.refusal("edit_file", arguments)[:2] == ("edit.arguments", "invalid_argument")


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({"path": 5, "old_text": "a", "new_text": "b"}, ("path",)),
        ({"path": "f", "old_text": "a", "new_text": "b", "replace_all": "yes"}, ("replace_all",)),
        ({"path": "f", "edits": [{"old_text": "a"}]}, ("edits", 0, "new_text")),
        ({"path": "f", "old": "a"}, ("old",)),
    ],
)
def test_wrong_arguments_are_named(shop: Workshop, arguments: dict[str, Any], field: tuple[str | int, ...]) -> None:
    with pytest.raises(ValidationError) as caught:
        shop.run("edit_file", arguments)
    assert [fault["loc"] for fault in caught.value.errors()] == [field]


def test_the_mode_and_the_links_stay(shop: Workshop) -> None:  # C28
    path = shop.put("run.sh", "echo a\n")
    path.chmod(0o755)
    (shop.root / "link").symlink_to("run.sh")
    edit(shop, "link", "a", "b")
    assert (stat.S_IMODE(path.stat().st_mode), (shop.root / "link").is_symlink()) == (0o755, True)
    assert path.read_text() == "echo b\n"


def test_a_read_only_file_is_not_edited(shop: Workshop) -> None:  # C28
    path = shop.put("f", "a\n")
    path.chmod(0o444)
    assert shop.refusal("edit_file", {"path": "f", "old_text": "a", "new_text": "b"})[0] == "files.read_only"
    assert (path.read_text(), os.listdir(shop.root)) == ("a\n", ["f"])


def test_an_anchor_that_is_still_unique_keeps_the_users_change(shop: Workshop) -> None:  # C32
    path = shop.put("f", "A\nB\n")
    shop.run("read_file", {"path": "f"})
    path.write_text("A\nB\nC\n")
    edit(shop, "f", "A", "A2")
    assert path.read_text() == "A2\nB\nC\n"
    # It has still not seen C: overwriting the whole file would lose it.
    assert shop.refusal("write_file", {"path": "f", "content": "A2\nB\n"})[0] == "files.stale"


def test_an_edit_of_known_content_lets_the_file_be_overwritten(shop: Workshop) -> None:
    path = shop.put("f", "A\nB\n")
    shop.run("read_file", {"path": "f"})
    edit(shop, "f", "A", "A2")
    shop.run("write_file", {"path": "f", "content": "new\n"})
    assert path.read_text() == "new\n"


def test_line_numbers_of_read_file_are_taken_off(shop: Workshop) -> None:
    path = shop.put("f", "def a():\n    x = 1\n")
    result = edit(shop, "f", "1\tdef a():\n2\t    x = 1", "1\tdef a():\n2\t    x = 2")
    assert (path.read_text(), result.content.endswith("位置。")) == ("def a():\n    x = 2\n", True)


def test_two_anchored_edits_of_two_tasks_both_stand(shop: Workshop) -> None:  # C60, first
    for round_number in range(100):
        path = shop.put(f"f{round_number}", "A\nB\n")
        ready = threading.Barrier(2, timeout=PATIENCE_S)

        def task(actor: str, old: str, new: str, name: str = path.name, ready: threading.Barrier = ready) -> None:
            shop.run("read_file", {"path": name}, actor)
            ready.wait()
            shop.run("edit_file", {"path": name, "old_text": old, "new_text": new}, actor)

        threads = [
            threading.Thread(target=task, args=("task_1", "A", "A1")),
            threading.Thread(target=task, args=("task_2", "B", "B2")),
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert path.read_text() == "A1\nB2\n"


def test_two_overwrites_of_two_tasks_do_not_both_stand(shop: Workshop) -> None:  # C60, second
    path = shop.put("f", "A\nB\n")
    for actor in ("task_1", "task_2"):
        shop.run("read_file", {"path": "f"}, actor)
    shop.run("write_file", {"path": "f", "content": "one\n"}, "task_1")
    assert shop.refusal("write_file", {"path": "./f", "content": "two\n"}, "task_2") == (
        "files.stale",
        "",
        "f 在你读取之后被改动过,没有写入。最近写入它的是 task_1。请重新 read_file,再决定怎么改。",
    )
    assert path.read_text() == "one\n"


def test_a_file_another_task_created_must_be_read_first(shop: Workshop) -> None:
    shop.run("write_file", {"path": "f", "content": "one\n"}, "task_1")
    code, _, text = shop.refusal("write_file", {"path": "f", "content": "two\n"}, "task_2")
    assert (code, "最近写入它的是 task_1。" in text) == ("files.unread", True)


def test_a_link_and_its_target_share_a_lock(shop: Workshop) -> None:  # C60, third
    path = shop.put("f", "A\nB\n")
    (shop.root / "link").symlink_to("f")
    shop.run("read_file", {"path": "link"}, "task_2")
    with shop.locks.holding(str(path)):
        writing = threading.Thread(
            target=shop.run, args=("edit_file", {"path": "link", "old_text": "A", "new_text": "A1"}, "task_2")
        )
        writing.start()
        writing.join(0.1)
        assert (writing.is_alive(), path.read_text()) == (True, "A\nB\n")
    writing.join()
    assert path.read_text() == "A1\nB\n"


def test_an_anchor_another_task_took_away_names_that_task(shop: Workshop) -> None:
    shop.put("f", "A\nB\n")
    shop.run("read_file", {"path": "f"}, "task_2")
    shop.run("edit_file", {"path": "f", "old_text": "A\nB", "new_text": "other"}, "task_1")
    code, kind, text = shop.refusal("edit_file", {"path": "f", "old_text": "A\nB", "new_text": "x"}, "task_2")
    assert (code, kind, "最近写入它的是 task_1。" in text) == ("edit.stale", "not_found", True)


def test_two_files_in_opposite_order_do_not_block(shop: Workshop) -> None:  # C60
    for name in ("f", "g"):
        shop.put(name, "task_1\ntask_2\n")
    ready = threading.Barrier(2, timeout=PATIENCE_S)

    def task(actor: str, names: tuple[str, str]) -> None:
        ready.wait()
        for name in names:
            shop.run("edit_file", {"path": name, "old_text": actor, "new_text": f"by {actor}"}, actor)

    threads = [
        threading.Thread(target=task, args=("task_1", ("f", "g"))),
        threading.Thread(target=task, args=("task_2", ("g", "f"))),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {(shop.root / name).read_text() for name in ("f", "g")} == {"by task_1\nby task_2\n"}
