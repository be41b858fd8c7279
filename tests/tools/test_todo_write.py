from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from paicli.core.messages import TodoItem, TodoList, ToolResult
from paicli.tools.builtin.todo_write import TodoWrite
from tests.tools.command_kit import CommandKit


def write(root: Path, items: Any) -> ToolResult:
    return CommandKit(root).call(TodoWrite(), items=items)


def test_the_list_is_confirmed_and_handed_to_the_screen(tmp_path: Path) -> None:
    result = write(
        tmp_path,
        [
            {"text": " read the code ", "status": "completed"},
            {"text": "fix it", "status": "in_progress"},
            {"text": "test it", "status": "pending"},
        ],
    )
    items = (
        TodoItem("read the code", "completed"),
        TodoItem("fix it", "in_progress"),
        TodoItem("test it", "pending"),
    )
    assert result == ToolResult("待办清单已更新: 共 3 项,已完成 1,进行中 1,待办 1", TodoList(items))


def test_an_empty_list_clears_it(tmp_path: Path) -> None:
    assert write(tmp_path, []).detail == TodoList(())


@pytest.mark.parametrize(
    "items",
    [
        [{"text": "", "status": "pending"}],
        [{"text": "a", "status": "done"}],
        [{"text": "a"}],
        [{"text": "a", "status": "pending", "id": 1}],
        [{"text": "a" * 501, "status": "pending"}],
        [{"text": "a", "status": "pending"}] * 51,
        "a",
    ],
)
def test_items_that_do_not_fit_are_refused(tmp_path: Path, items: Any) -> None:
    with pytest.raises(ValidationError):
        write(tmp_path, items)
