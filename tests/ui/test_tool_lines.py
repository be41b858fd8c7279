import pytest

from paicli.ui.rendering.tool_lines import call_subject, parsed_arguments

DEEP = "[" * 100_000


@pytest.mark.parametrize("arguments", [DEEP, '{"path":' + DEEP, '{"path": 1', "[]", '"a"', ""])
def test_arguments_that_are_no_object_say_nothing_and_break_nothing(arguments: str) -> None:
    assert (parsed_arguments(arguments), call_subject(arguments)) == ({}, "")


def test_a_calls_subject_is_one_line_of_its_path_or_command() -> None:
    assert call_subject('{"command": "a\\n  b", "timeout_s": 3}') == "a b"
