import pytest

from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.events import RepetitionNoticed, ToolFinished
from paicli.core.faults import Fault
from paicli.core.messages import CommandRun, FileWritten, PageFetched, ToolDetail, ToolOutcome, WebSearched
from paicli.ui.rendering.tool_lines import call_subject, finished_line, outcome_text, parsed_arguments, repetition_text

DEEP = "[" * 100_000


@pytest.mark.parametrize("arguments", [DEEP, '{"path":' + DEEP, '{"path": 1', "[]", '"a"', ""])
def test_arguments_that_are_no_object_say_nothing_and_break_nothing(arguments: str) -> None:
    assert (parsed_arguments(arguments), call_subject(arguments)) == ({}, "")


def test_a_calls_subject_is_one_line_of_its_path_or_command() -> None:
    assert call_subject('{"command": "a\\n  b", "timeout_s": 3}') == "a b"


def test_a_name_without_end_does_not_fill_the_screen() -> None:
    finished = ToolFinished("c", "n" * 5_000, ToolOutcome.FAILED, "", None, 0.1)
    assert len(finished_line(finished, "{}", Texts(Language.EN)).text) < 300


@pytest.mark.parametrize(
    ("detail", "said"),
    [
        (PageFetched("https://a.example/", 200, 12_345, "A title"), "A title · 12.3 KB"),
        (PageFetched("https://a.example/", 200, 12, ""), "12 B"),
        (PageFetched("https://a.example/", 200, 5_000_000, "T", is_cut=True), "T · 5000.0 KB (incomplete)"),
        (WebSearched("words", 8, "tavily"), "8 results (tavily)"),
    ],
)
def test_a_page_and_a_search_are_told_in_one_line(detail: ToolDetail, said: str) -> None:
    finished = ToolFinished("c", "web_fetch", ToolOutcome.OK, "", detail, 0.1)
    assert outcome_text(finished, Texts(Language.EN)) == said


@pytest.mark.parametrize(
    ("detail", "said"),
    [
        (FileWritten("a", "", 0, 0), "nothing changed: the content was the same"),
        (FileWritten("a", "", 0, 0, is_new=True), "new file +0"),
        (FileWritten("a", "--- a/a\n+++ b/a\n", 1, 2), "+1 -2"),
        (FileWritten("a", "--- a/a\n+++ b/a\n", 1, 2, is_corrected=True), "+1 -2 (match corrected)"),
    ],
)
def test_a_write_says_what_it_changed(detail: FileWritten, said: str) -> None:
    finished = ToolFinished("c", "write_file", ToolOutcome.OK, "", detail, 0.1)
    assert outcome_text(finished, Texts(Language.EN)) == said


@pytest.mark.parametrize(
    ("fault", "in_english", "in_chinese"),
    [
        (Fault.of("files.not_found", path="a"), "failed: no such file or folder", "失败: 不存在"),
        (
            Fault.of("edit.several", where="第 1 处编辑:", count=2, lines="1, 5"),
            "failed: the text to replace stands in 2 places (lines 1, 5)",
            "失败: 要替换的内容出现了 2 处(第 1, 5 行)",
        ),
        (
            Fault("tool.output_cut"),
            "failed: the model reached its output limit: the arguments are incomplete",
            "失败: 模型的输出达到长度上限,参数不完整",
        ),
        (Fault("somebody.elses"), "failed: 模型读的话", "失败: 模型读的话"),
        (None, "failed: 模型读的话", "失败: 模型读的话"),
    ],
)
def test_why_a_call_failed_is_told_in_the_persons_language(
    fault: Fault | None, in_english: str, in_chinese: str
) -> None:
    finished = ToolFinished("c", "edit_file", ToolOutcome.FAILED, "模型读的话\n第二行", None, 0.1, fault=fault)
    said = [outcome_text(finished, Texts(language)) for language in (Language.EN, Language.ZH)]
    assert said == [in_english, in_chinese]


def test_a_reason_of_another_version_is_shown_with_its_fields() -> None:
    finished = ToolFinished("c", "edit_file", ToolOutcome.FAILED, "x", None, 0.1, fault=Fault.of("edit.several", n=2))
    assert outcome_text(finished, Texts(Language.EN)) == "failed: tool.why.edit.several n=2"


def test_a_reason_is_one_line() -> None:
    fault = Fault.of("web.unreachable", host="h", what="one\ntwo")
    finished = ToolFinished("c", "web_fetch", ToolOutcome.DENIED, "x", None, 0.1, fault=fault)
    assert outcome_text(finished, Texts(Language.EN)) == "denied: can't connect to h: one"


@pytest.mark.parametrize(
    ("run", "said"),
    [
        (CommandRun("make", None, 0.0, background_id="bg_1"), "in the background as bg_1"),
        (CommandRun("make", 2, 3.0, background_id="bg_1"), "exit 2 · 3.0 s"),
        (CommandRun("make", -15, 3.0, background_id="bg_1"), "ended by signal 15 · 3.0 s"),
    ],
)
def test_a_background_command_that_ended_says_how(run: CommandRun, said: str) -> None:
    finished = ToolFinished("c", "command_output", ToolOutcome.OK, "", run, 0.1)
    assert outcome_text(finished, Texts(Language.EN)) == said


@pytest.mark.parametrize(
    ("what", "key", "said"),
    [
        ("call", 'write_file {"content": "' + "x" * 5_000 + '", "path": "a.py"}', "write_file a.py"),
        ("call", "todo_write {}", "todo_write"),
        ("call", "execute_command not json", "execute_command"),
        ("error", "exit_code", "a non-zero exit code"),
        ("error", "files.stale", "some other error"),
    ],
)
def test_what_came_three_times_is_named_in_one_line(what: str, key: str, said: str) -> None:
    shown = repetition_text(RepetitionNoticed(what, key), Texts(Language.EN))
    thing = "call" if what == "call" else "kind of error"
    assert shown == f"The same {thing} three times over; the model was told to try something else: {said}"
