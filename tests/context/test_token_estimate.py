import base64
import hashlib

import pytest

from paicli.context.compaction.gauge import Calibration, ConversationGauge
from paicli.context.token_estimate import estimated_tokens, message_tokens
from paicli.core.messages import AssistantMessage, Image, ToolCall, ToolDeclaration, ToolMessage, UserMessage

NOISE = base64.b64encode(b"".join(hashlib.sha256(bytes([number])).digest() for number in range(250))).decode()


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("", 0, 0),
        ("a", 1, 1),
        ("The quick brown fox jumps over the lazy dog.", 9, 13),
        ("敏捷的棕色狐狸跳过了那只懒狗。", 9, 16),
        ("def add(a: int, b: int) -> int:\n    return a + b\n", 11, 20),
        # C69
        ("你好世界" * 2_500, 6_000, 11_000),
        ("words " * 1_667 + "word", 2_000, 4_000),
        ("ひらがなカタカナ" * 1_250, 6_000, 11_000),
        ("😀" * 2_500, 2_500, 7_500),
        (NOISE, len(NOISE) // 2, len(NOISE)),
        ("src/paicli/context/compaction/some_module_with_a_long_name.py\n" * 10, 120, 200),
        ("Съешь ещё этих мягких французских булок", 15, 30),
        ("\ud83d half", 1, 6),
    ],
)
def test_an_estimate_is_near_what_tokenizers_count(text: str, low: int, high: int) -> None:
    assert low <= estimated_tokens(text) <= high


def test_a_message_counts_its_calls_and_images() -> None:
    bare = message_tokens(UserMessage("look"))
    image = Image("a.png", "image/png", "AAAA", 3)
    assert message_tokens(UserMessage("look", (image,))) > bare + 500
    call = ToolCall("c", "write_file", "x" * 4_000)
    assert message_tokens(AssistantMessage("", "", (call,))) > 1_000
    assert message_tokens(ToolMessage("c", "write_file", "长" * 100)) > 100


def test_an_estimate_is_rebased_on_what_the_server_counted() -> None:
    gauge = ConversationGauge(Calibration())
    said = [UserMessage("a" * 4_000)]
    raw = gauge.raw(said)
    gauge.note(raw, 2 * raw, "m")
    assert gauge.tokens(said, (), "m") == 2 * raw
    more = [*said, AssistantMessage("b" * 400)]
    assert gauge.tokens(more, (), "m") == 2 * raw + 2 * (gauge.raw(more) - raw)


def test_another_model_counts_otherwise_and_the_factor_is_all_conversations() -> None:
    calibration = Calibration()
    first, second = ConversationGauge(calibration), ConversationGauge(calibration)
    said = [UserMessage("a" * 4_000)]
    raw = first.raw(said)
    first.note(raw, 3 * raw, "m")
    assert second.tokens(said, (), "m") == 3 * raw
    assert second.tokens(said, (), "other") == raw


@pytest.mark.parametrize(("counted", "times"), [(0, 1.0), (1, 0.5), (10**9, 4.0)])
def test_figures_that_can_not_be_are_bounded(counted: int, times: float) -> None:
    gauge = ConversationGauge(Calibration())
    said = [UserMessage("a" * 4_000)]
    raw = gauge.raw(said)
    gauge.note(raw, counted, "m")
    assert gauge.tokens(said, (), "m") == pytest.approx(raw * times, abs=1)


def test_a_conversation_that_was_rewritten_is_counted_anew_and_its_tools_too() -> None:
    gauge = ConversationGauge(Calibration())
    long, short = [UserMessage("a" * 4_000), UserMessage("b")], [UserMessage("c")]
    gauge.raw(long)
    assert gauge.raw(short) == message_tokens(short[0])
    tool = ToolDeclaration("look", "looks", {"type": "object"})
    assert gauge.raw(short, (tool,)) == gauge.raw(short) + gauge.of_tools((tool,)) > gauge.raw(short)
