import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from paicli.core.catalogue.lookup import model_text
from paicli.core.errors import TurnCancelled
from paicli.core.messages import CommandRun, ErrorKind, ToolOutcome, ToolResult
from paicli.tools.builtin.execute_command import ExecuteCommand
from tests.tools.command_kit import SECRET, CommandKit


@pytest.fixture
def kit(tmp_path: Path) -> Iterator[CommandKit]:
    made = CommandKit(tmp_path)
    yield made
    made.close()


def execute(kit: CommandKit, command: str, **more: Any) -> ToolResult:
    return kit.call(ExecuteCommand(kit.runner, kit.background, kit.reader), command=command, **more)


def without_times(text: str) -> str:
    return re.sub(r"用时 [0-9.]+ s", "用时 T s", text)


@pytest.mark.parametrize(  # C40
    ("command", "content", "error_kind"),
    [
        ("echo hi", "退出码 0,用时 T s\n输出:\nhi", ""),
        ("true", "退出码 0,用时 T s\n(无输出)", ""),
        ("exit 300", "退出码 44,用时 T s\n(无输出)", ErrorKind.EXIT_CODE),
        (
            "sh -c 'echo out; exit 1' | tail -1",
            "退出码 0,用时 T s\n管道各段退出码: 1 0\n输出:\nout",
            "",
        ),
        (
            "seq 1 100000 | head -1",
            "退出码 0,用时 T s\n管道各段退出码: 141 0(141 是 SIGPIPE: 下游先结束,不算失败)\n输出:\n1",
            "",
        ),
        ("kill -9 $$", "被信号 9 SIGKILL 终止: 强制终止(常见原因: 内存不足),用时 T s\n(无输出)", ErrorKind.EXIT_CODE),
        (
            "sh -c 'kill -15 $$' 2>/dev/null; exit $?",
            "退出码 143(即信号 15 SIGTERM: 请求终止),用时 T s\n输出:\nbash: line 1: PID Terminated",
            ErrorKind.EXIT_CODE,
        ),
    ],
)
def test_the_result_tells_code_signal_stages_and_time(
    kit: CommandKit, command: str, content: str, error_kind: str
) -> None:
    result = execute(kit, command)
    first_line, *rest = without_times(result.content).split("\n")
    expected_first, *expected_rest = content.split("\n")
    assert first_line == expected_first
    if "PID" not in content:
        assert rest == expected_rest
    assert (result.outcome, result.error_kind) == (ToolOutcome.OK, error_kind)


def test_the_detail_is_for_the_screen(kit: CommandKit) -> None:
    result = execute(kit, "seq 1 9; exit 3")
    assert isinstance(result.detail, CommandRun)
    assert result.detail._replace(duration_s=0.0, stage_codes=()) == CommandRun(
        "seq 1 9; exit 3", 3, 0.0, tail="5\n6\n7\n8\n9"
    )
    assert result.detail.duration_s > 0


def test_a_time_out_fails_and_says_after_how_long(kit: CommandKit) -> None:  # C37
    result = execute(kit, "echo so far; sleep 30", timeout_s=1)
    assert "timed out after 1 s" in result.content
    assert result.content.endswith("so far")
    assert (result.outcome, result.error_kind) == (ToolOutcome.FAILED, ErrorKind.TIMEOUT)
    assert isinstance(result.detail, CommandRun)
    assert result.detail.timed_out


def test_a_cancel_is_told_as_such_with_the_output_so_far(kit: CommandKit) -> None:  # C64
    kit.progress = lambda tail: kit.cancel.cancel()
    result = execute(kit, "echo so far; sleep 30")
    assert result.content.endswith("so far")
    assert (result.outcome, result.error_kind) == (ToolOutcome.CANCELLED, "")
    assert isinstance(result.detail, CommandRun)
    assert result.detail.exit_code is None


def test_nothing_starts_after_a_cancel(kit: CommandKit) -> None:
    kit.cancel.cancel()
    with pytest.raises(TurnCancelled):
        execute(kit, "touch mark")
    assert list(kit.root.iterdir()) == []


def test_what_runs_on_is_named(kit: CommandKit) -> None:  # C34
    result = execute(kit, "sleep 30 & until grep -q sleep /proc/$!/cmdline; do :; done; echo $!")
    pid = result.content.rsplit("\n", 1)[1]
    remark = model_text("command.survivors", processes=f"pid {pid} sleep 30")
    assert without_times(result.content) == f"退出码 0,用时 T s\n{remark}\n输出:\n{pid}"


def test_a_long_output_is_shown_by_its_ends_and_kept_whole(kit: CommandKit) -> None:
    result = execute(kit, "seq 1 20000")
    whole = "".join(f"{number}\n" for number in range(1, 20_001))
    assert kit.results.saved == {"command-call_1": whole}
    mark = model_text("command.omitted", chars=len(whole) - 16_000, size=len(whole))
    shown = f"{whole[:8_000]}\n{mark}\n{whole[-8_000:]}".rstrip("\n")
    assert without_times(result.content) == "\n".join(
        (
            "退出码 0,用时 T s",
            "完整输出: /results/command-call_1(共 20000 行,可用 read_file 分段读取)",
            "输出:",
            shown,
        )
    )


def test_output_up_to_the_limit_is_not_stored(kit: CommandKit) -> None:
    result = execute(kit, "head -c 16000 /dev/zero | tr '\\0' a")
    assert result.content.endswith("a" * 16_000)
    assert kit.results.saved == {}


def test_more_than_two_million_characters_are_kept_at_both_ends(kit: CommandKit) -> None:  # C38
    result = execute(kit, "seq 1 600000")
    saved = kit.results.saved["command-call_1"]
    counted = re.search(r"此处 (\d+) 字节未保留", saved)
    assert counted is not None
    mark = model_text("command.dropped", bytes=int(counted[1]))
    head, tail = saved.split(f"\n{mark}\n")
    whole = "".join(f"{number}\n" for number in range(1, 600_001))
    assert len(head) + 1 + int(counted[1]) + len(tail) == len(whole)
    assert whole.startswith(head)
    assert whole.endswith(tail)
    assert 1_800_000 < len(saved) <= 2_000_100
    assert f"另有 {counted[1]} 字节未保留" in result.content
    assert len(result.content) < 17_000


def test_a_result_folder_that_fails_is_told_and_the_output_still_shown(kit: CommandKit, tmp_path: Path) -> None:
    def fail(name: str, text: str) -> Path:
        raise OSError(28, "No space left on device")

    kit.results.save = fail  # type: ignore[method-assign]  # the disk is full
    result = execute(kit, "seq 1 20000")
    assert "完整输出未能保存: No space left on device" in result.content
    assert result.content.endswith("20000")


def test_progress_and_colours_are_folded(kit: CommandKit) -> None:
    result = execute(kit, "printf '10%%\\r50%%\\r100%%\\n\\033[32mok\\033[0m\\n\\377\\n'")
    assert without_times(result.content) == "退出码 0,用时 T s\n输出:\n100%\nok\n\ufffd"


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        (SECRET, "***"),
        (f"{SECRET[:6]}\x1b[1m{SECRET[6:]}", "***"),
        (f"{SECRET} 10%\r20%", "20% 10%"),
        (f"a\0KEY={SECRET}\0b", "a␀KEY=***␀b"),
    ],
)
def test_a_secret_in_the_output_is_masked_everywhere(kit: CommandKit, printed: str, shown: str) -> None:  # C42
    tails: list[str] = []
    kit.progress = tails.append
    (kit.root / "printed").write_text(f"{printed}\n", newline="")
    result = execute(kit, "cat printed; seq 1 20000; cat printed")
    numbers = "".join(f"{number}\n" for number in range(1, 20_001))
    assert kit.results.saved["command-call_1"] == f"{shown}\n{numbers}{shown}\n"
    assert SECRET[8:] not in "\n".join((result.content, str(result.detail), *tails))


def test_a_lost_password_prompt_gets_a_hint(kit: CommandKit) -> None:  # C46
    result = execute(kit, "echo X >/dev/tty")
    assert model_text("command.no_terminal") in result.content
    assert model_text("command.no_terminal") in execute(kit, "cat /dev/tty | wc -l").content
    assert model_text("command.no_terminal") not in execute(kit, "echo X").content


def test_words_that_speak_of_a_password_prompt_are_no_lost_one(kit: CommandKit) -> None:
    assert model_text("command.no_terminal") not in execute(kit, "echo SSH_ASKPASS_REQUIRE=never").content


def test_a_root_that_has_gone_is_noted(kit: CommandKit, tmp_path: Path) -> None:  # C41
    kit.root = tmp_path / "gone"
    result = execute(kit, "pwd")
    assert without_times(result.content) == (
        f"退出码 0,用时 T s\n注意: 目录 {tmp_path}/gone 已不存在,命令在 {tmp_path} 中执行\n输出:\n{tmp_path}"
    )


def test_the_last_five_lines_are_shown_while_it_runs(kit: CommandKit) -> None:
    shown = threading.Event()
    tails: list[str] = []

    def show(tail: str) -> None:
        tails.append(tail)
        shown.set()
        (kit.root / "seen").touch()

    kit.progress = show
    execute(kit, "seq 1 7; until [ -e seen ]; do sleep 0.01; done")
    assert shown.is_set()
    assert tails[0] == "3\n4\n5\n6\n7"


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"command": "  "},
        {"command": "ls", "timeout_s": 601},
        {"command": "ls", "timeout_s": 0},
        {"command": "ls", "cwd": "/"},
    ],
)
def test_arguments_that_do_not_fit_are_refused(kit: CommandKit, arguments: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        kit.call(ExecuteCommand(kit.runner, kit.background, kit.reader), **arguments)


def test_half_a_surrogate_pair_in_a_command_is_replaced_and_not_refused(kit: CommandKit) -> None:  # C51
    result = execute(kit, "printf '%s' '\ud83d'")
    assert "\n\ufffd" in result.content
