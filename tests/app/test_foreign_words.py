"""What a name, a value or a file says is shown as text (R6), whichever command or option it came through."""

import io
import json
from pathlib import Path

import pytest

from paicli.app.crash_report import report_crash
from paicli.app.main import main
from paicli.app.streams import Streams

HOSTILE = "A\x1b]52;c;YQ==\x07B\x1b[2JC[/nope]\rD\u202eE"
FIELDS = {"PAICLI_PROVIDER": "custom", "PAICLI_MODEL": "m", "PAICLI_BASE_URL": "http://127.0.0.1:1", "LANG": "C"}


@pytest.fixture(autouse=True)
def no_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def said(*argv: str, home: Path, **environ: str) -> tuple[int, str]:
    streams = Streams(None, io.StringIO(), io.StringIO())
    given = {"HOME": str(home), "PATH": "/usr/bin:/bin", **FIELDS, **environ}
    status = main([*argv], given, streams)
    assert isinstance(streams.stdout, io.StringIO)
    assert isinstance(streams.stderr, io.StringIO)
    return status, streams.stdout.getvalue() + streams.stderr.getvalue()


def is_harmless(text: str) -> bool:
    return all(letter.isprintable() or letter in "\n\t" for letter in text)


# C47 C48
@pytest.mark.parametrize(
    "argv",
    [
        ["-C", HOSTILE],
        ["sessions", "-C", HOSTILE],
        ["-p", "x", "--mode", HOSTILE],
        ["-p", "x", "--max-turns", HOSTILE],
        [HOSTILE],
        [f"--{HOSTILE}"],
        ["verify", HOSTILE],
        ["bugreport", HOSTILE],
        ["config", "get", HOSTILE],
        ["config", "set", HOSTILE, "x"],
        ["config", "set", "model.provider", HOSTILE],
    ],
)
def test_a_word_of_the_command_line_is_said_back_as_text(tmp_path: Path, argv: list[str]) -> None:
    status, text = said(*argv, home=tmp_path)
    assert status == 2
    assert is_harmless(text)
    assert "ABC[/nope]^MD<U+202E>E" in text


# C48
@pytest.mark.parametrize("name", ["PAICLI_PROVIDER", "PAICLI_BASE_URL", "PAICLI_HOME"])
def test_a_variable_is_said_back_as_text(tmp_path: Path, name: str) -> None:
    without = {"PAICLI_MODEL": ""} if name == "PAICLI_HOME" else {}
    status, text = said("-p", "x", home=tmp_path, **without, **{name: str(tmp_path / HOSTILE)})
    assert (status, is_harmless(text)) == (2, True), text
    assert "paicli: " in text


# C48
def test_a_journal_is_judged_and_packed_under_any_name(tmp_path: Path) -> None:
    folder = tmp_path / HOSTILE.replace("/", ",")
    folder.mkdir()
    journal = folder / "s.jsonl"
    journal.write_text(json.dumps({"type": "journal", "version": 1}) + "\n")
    for command, ends_with in (("verify", 0), ("bugreport", 2)):
        status, text = said(command, str(journal), home=tmp_path)
        assert (status, is_harmless(text), "ABC[,nope]" in text) == (ends_with, True, True), text


# C48
def test_an_exception_and_the_place_of_its_log_are_one_line_of_text(tmp_path: Path) -> None:
    stderr = io.StringIO()
    home = tmp_path / HOSTILE.replace("/", ",")
    report_crash(ValueError(HOSTILE), None, argv=[], environ={"PAICLI_HOME": str(home)}, stderr=stderr)
    line = stderr.getvalue()
    assert line.count("\n") == 1
    assert is_harmless(line)
    assert "[/nope]" in line
    assert "error-" in line


@pytest.mark.parametrize(
    ("argv", "words"),
    [([], "意外错误"), (["--lang", "en"], "Unexpected error"), (["-p", "x", "--lang=en"], "Unexpected")],
)
def test_an_unexpected_error_is_told_in_the_language_that_was_asked_for(
    tmp_path: Path, argv: list[str], words: str
) -> None:
    stderr = io.StringIO()
    report_crash(ValueError("x"), None, argv=argv, environ={"PAICLI_HOME": str(tmp_path)}, stderr=stderr)
    assert words in stderr.getvalue()
