from pathlib import Path

from paicli.session.input_history import InputHistory


def test_entries_come_back_newest_first_and_whole(tmp_path: Path) -> None:
    path = tmp_path / "h" / "p"
    history = InputHistory(path)
    for entry in ("first", "l1\nl2\n  l3", "中文 👩\u200d💻"):
        history.append(entry)
    assert InputHistory(path).entries() == ["中文 👩\u200d💻", "l1\nl2\n  l3", "first"]


def test_a_surrogate_pair_is_joined_and_a_lone_one_replaced(tmp_path: Path) -> None:  # C51
    path = tmp_path / "p"
    InputHistory(path).append("\ud83d\ude00 \ud83d")
    assert path.read_bytes() == b'"\xf0\x9f\x98\x80 \xef\xbf\xbd"\n'
    assert InputHistory(path).entries() == ["😀 \ufffd"]


def test_broken_lines_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "p"
    path.write_bytes(b'"a"\n{"no": "string"}\nnot json\n\xff\xfe\n"b"\n')
    assert InputHistory(path).entries() == ["b", "a"]


def test_a_history_that_can_not_be_kept_costs_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    history = InputHistory(tmp_path / "file" / "p")
    history.append("a")
    assert history.entries() == []
