from pathlib import Path

import pytest

from paicli.agent.compacting.step_results import bound_step
from paicli.context.token_estimate import estimated_tokens
from paicli.core.messages import ToolCall, ToolResult
from paicli.session.results import ResultFiles


def step(*contents: str) -> tuple[list[ToolResult], list[ToolCall]]:
    calls = [ToolCall(f"c{number}", "look", "{}") for number in range(len(contents))]
    return [ToolResult(content) for content in contents], calls


def test_results_that_have_room_are_the_same(tmp_path: Path) -> None:
    results, calls = step("a" * 5_000, "b" * 5_000)
    assert bound_step(results, calls, window_tokens=32_000, store=ResultFiles(tmp_path)) is results


def test_c68_a_hundred_results_leave_room_and_their_rest_is_kept(tmp_path: Path) -> None:
    results, calls = step(*(f"{number} " + "é" * 20_000 + " end" for number in range(100)), "short")
    bound = bound_step(results, calls, window_tokens=128_000, store=ResultFiles(tmp_path))
    assert sum(estimated_tokens(result.content) for result in bound) < 128_000 * 0.6
    assert bound[-1].content == "short"
    assert all(result.content.startswith(f"{number} ") for number, result in enumerate(bound[:-1]))
    assert all(result.content.endswith(" end") for result in bound[:-1])
    kept = sorted(tmp_path.iterdir())
    assert len(kept) == 100
    assert kept[0].read_text() == results[0].content
    assert str(kept[0]) in bound[0].content
    assert "20006" in bound[0].content


def test_c68_where_nothing_can_be_kept_it_is_said(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    results, calls = step(*["x" * 30_000] * 40)
    for store in (None, ResultFiles(blocked / "results")):
        bound = bound_step(results, calls, window_tokens=32_000, store=store)
        assert all("没能保存" in result.content for result in bound)


@pytest.mark.parametrize("window", [1_000, 8_000, 128_000, 1_000_000])
def test_c68_no_step_passes_400_000_characters_by_much(window: int) -> None:
    results, calls = step(*["y" * 32_000] * 60)
    bound = bound_step(results, calls, window_tokens=window, store=None)
    assert sum(len(result.content) for result in bound) <= 410_000
