import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from paicli.context.project_rules import load_project_rules
from paicli.context.rule_notes import append_rule
from tests.patience import PATIENCE_S


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"# Rules\n", b"# Rules\nuse tabs\n"),
        (b"# Rules", b"# Rules\nuse tabs\n"),
        (b"# Rules\r\n- a\r\n", b"# Rules\r\n- a\r\nuse tabs\r\n"),
        (b"\xef\xbb\xbfx\n", b"\xef\xbb\xbfx\nuse tabs\n"),
    ],
)
def test_a_line_joins_the_file_and_the_rest_stays_byte_for_byte(tmp_path: Path, before: bytes, after: bytes) -> None:
    (tmp_path / "PAI.md").write_bytes(before)
    (tmp_path / "PAI.md").chmod(0o640)
    assert append_rule(tmp_path, "use tabs") == tmp_path / "PAI.md"
    assert (tmp_path / "PAI.md").read_bytes() == after
    assert stat.S_IMODE((tmp_path / "PAI.md").stat().st_mode) == 0o640


def test_without_one_the_projects_own_is_made_and_the_next_conversation_reads_it(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "inner").mkdir()
    append_rule(tmp_path / "inner", "first\ud83d\nline")
    append_rule(tmp_path / "inner", "second")
    assert (tmp_path / "inner" / "PAI.md").read_bytes() == "first\ufffd line\nsecond\n".encode()
    assert load_project_rules(tmp_path / "inner").text == "first\ufffd line\nsecond"


def test_the_one_that_is_in_force_is_taken_also_behind_a_link_inside(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "inner").mkdir()
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "rules.md").write_text("a\n")
    (tmp_path / "PAI.md").symlink_to("docs/rules.md")
    assert append_rule(tmp_path / "inner", "b") == tmp_path / "PAI.md"
    assert ((tmp_path / "docs" / "rules.md").read_text(), (tmp_path / "PAI.md").is_symlink()) == ("a\nb\n", True)


def put_link_out(path: Path) -> None:
    (path.parent.parent / "outside.md").write_text("theirs\n")
    path.symlink_to(path.parent.parent / "outside.md")


def put_fifo(path: Path) -> None:
    os.mkfifo(path)


@pytest.mark.parametrize("put", [put_link_out, put_fifo, Path.mkdir, lambda path: path.write_bytes(b"PK\0\1")])
def test_what_is_no_text_of_the_project_is_not_written(  # C31 C79
    tmp_path: Path, put: Callable[[Path], object]
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    put(project / "PAI.md")
    refused: list[object] = []

    def try_it() -> None:
        with pytest.raises(OSError, match="file") as caught:
            append_rule(project, "x")
        refused.append(caught.value.filename)

    thread = threading.Thread(target=try_it, daemon=True)
    thread.start()
    thread.join(PATIENCE_S)
    assert refused == [str(project / "PAI.md")]
    assert not (tmp_path / "outside.md").exists() or (tmp_path / "outside.md").read_text() == "theirs\n"


@pytest.mark.parametrize(
    ("there", "joined"),
    [
        (("AGENTS.md",), "AGENTS.md"),
        (("CLAUDE.md",), "CLAUDE.md"),
        (("AGENTS.md", "CLAUDE.md"), "AGENTS.md"),
        (("PAI.md", "AGENTS.md"), "PAI.md"),
        (("PAI.md", "inner/AGENTS.md"), "inner/AGENTS.md"),
        (("PAI.md", "inner/PAI.local.md"), "PAI.md"),
        (("inner/PAI.local.md",), "inner/PAI.md"),
    ],
)
def test_a_line_joins_the_nearest_file_in_force_and_silences_none(
    tmp_path: Path, there: tuple[str, ...], joined: str
) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "inner").mkdir()
    for name in there:
        (tmp_path / name).write_text("old\n")
    before = {file.path for file in load_project_rules(tmp_path / "inner").files}
    assert append_rule(tmp_path / "inner", "new") == tmp_path / joined
    after = load_project_rules(tmp_path / "inner")
    assert "new" in after.text
    assert before <= {file.path for file in after.files}
