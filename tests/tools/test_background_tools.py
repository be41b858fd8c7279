import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from paicli.core.errors import ToolFailed
from paicli.core.messages import CommandRun, ToolOutcome
from paicli.tools.builtin.command_output import CommandOutput
from paicli.tools.builtin.execute_command import ExecuteCommand
from paicli.tools.builtin.stop_command import StopCommand
from tests.system.processes import comes_true
from tests.tools.command_kit import SECRET, CommandKit


@pytest.fixture
def kit(tmp_path: Path) -> Iterator[CommandKit]:
    made = CommandKit(tmp_path)
    yield made
    made.close()


def start(kit: CommandKit, command: str) -> str:
    result = kit.call(ExecuteCommand(kit.runner, kit.background, kit.reader), command=command, background=True)
    assert result.detail == CommandRun(command.replace(SECRET, "***"), None, 0.0, background_id="bg_1")
    return "bg_1"


def look(kit: CommandKit, background_id: str) -> str:
    result = kit.call(CommandOutput(kit.background, kit.reader), id=background_id)
    assert result.outcome is ToolOutcome.OK
    return re.sub(r"[0-9.]+ s\b", "T s", result.content)


def test_output_comes_look_by_look_until_the_end(kit: CommandKit) -> None:
    os.mkfifo(kit.root / "gate")
    background_id = start(kit, f"echo {SECRET}; read x <gate; echo two; false | exit 3")
    assert comes_true(lambda: look(kit, background_id) == "bg_1 正在运行,已 T s\n新输出:\n***")
    assert look(kit, background_id) == "bg_1 正在运行,已 T s\n(没有新输出)"
    (kit.root / "gate").write_text("go\n")
    seen: list[str] = []

    def has_ended() -> bool:
        seen.append(look(kit, background_id))
        return "已结束" in seen[-1]

    assert comes_true(has_ended)
    assert "two" in "".join(seen)
    assert look(kit, background_id) == "bg_1 已结束: 退出码 3,用时 T s\n管道各段退出码: 1 3\n(没有新输出)"


def test_looking_at_what_runs_is_waiting_and_at_what_has_ended_is_not(kit: CommandKit) -> None:
    os.mkfifo(kit.root / "gate")
    background_id = start(kit, "read x <gate")
    tool = CommandOutput(kit.background, kit.reader)
    assert kit.call(tool, id=background_id).is_waiting
    (kit.root / "gate").write_text("go\n")
    assert comes_true(lambda: not kit.call(tool, id=background_id).is_waiting)


def test_stopping_tells_the_last_output(kit: CommandKit) -> None:
    os.mkfifo(kit.root / "gate")
    background_id = start(kit, "trap 'echo bye; exit' TERM; touch up; read x <gate")
    assert comes_true((kit.root / "up").exists)
    result = kit.call(StopCommand(kit.background, kit.reader), id=background_id)
    assert re.sub(r"[0-9.]+ s\b", "T s", result.content) == "bg_1 已停止,用时 T s\n新输出:\nbye"
    assert isinstance(result.detail, CommandRun)
    assert result.detail.background_id == "bg_1"


def test_an_unknown_id_is_an_error_for_the_model(kit: CommandKit) -> None:
    for tool in (CommandOutput(kit.background, kit.reader), StopCommand(kit.background, kit.reader)):
        with pytest.raises(ToolFailed) as caught:
            kit.call(tool, id="bg_9")
        assert caught.value.code == "command.unknown_id"
