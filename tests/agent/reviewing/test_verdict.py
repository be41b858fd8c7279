import pytest

from paicli.agent.reviewing.verdict import ReviewVerdict, verdict_of
from paicli.core.messages import ChatResponse, FinishReason, ToolCall

ALLOW = '{"decision": "allow", "reason": "only reads"}'
UNREADABLE = ReviewVerdict(False, "review.why_unreadable")


@pytest.mark.parametrize(
    ("content", "verdict"),
    [
        (ALLOW, ReviewVerdict(True, "only reads")),
        (f"\ufeff \n{ALLOW}\n", ReviewVerdict(True, "only reads")),
        (f"<think>shall I?</think>\n{ALLOW}", ReviewVerdict(True, "only reads")),
        (f"```json\n{ALLOW}\n```", ReviewVerdict(True, "only reads")),
        ('{"decision": "allow", "reason": ""}', ReviewVerdict(True, "")),
        ('{"decision": "ask", "reason": "deletes\\n two  files"}', ReviewVerdict(False, "deletes two files")),
        ('{"decision": "ask", "reason": "  "}', ReviewVerdict(False, "review.why_unsaid")),
        ('{"decision": "Allow", "reason": "x"}', UNREADABLE),
        ('{"decision": "allow ", "reason": "x"}', UNREADABLE),
        ('{"decision": "ALLOW", "reason": "x"}', UNREADABLE),
        ('{"decision": "allow|ask", "reason": "x"}', UNREADABLE),
        ('{"decision": "deny", "reason": "x"}', UNREADABLE),
        ('{"decision": true, "reason": "x"}', UNREADABLE),
        ('{"decision": ["allow"], "reason": "x"}', UNREADABLE),
        ('{"decision": {"allow": 1}, "reason": "x"}', UNREADABLE),
        ('{"decision": "allow"}', UNREADABLE),
        ('{"decision": "allow", "reason": null}', UNREADABLE),
        ('{"decision": "allow", "reason": "x", "note": "y"}', UNREADABLE),
        ('{"Decision": "allow", "reason": "x"}', UNREADABLE),
        ('{"decision": "ask", "decision": "allow", "reason": "x"}', UNREADABLE),
        (f"{ALLOW} {ALLOW}", UNREADABLE),
        (f"Sure: {ALLOW}", UNREADABLE),
        (f"{ALLOW} is my answer", UNREADABLE),
        (f"```json\n{ALLOW}", UNREADABLE),
        (f"[{ALLOW}]", UNREADABLE),
        ('"allow"', UNREADABLE),
        ("allow", UNREADABLE),
        ("", UNREADABLE),
        ("null", UNREADABLE),
        (f"<think>{ALLOW}", UNREADABLE),
        (f"<think>{ALLOW}</think>", UNREADABLE),
    ],
)
def test_only_the_exact_json_with_exactly_allow_passes(content: str, verdict: ReviewVerdict) -> None:
    assert verdict_of(ChatResponse(content)) == verdict


@pytest.mark.parametrize("reason", [FinishReason.LENGTH, FinishReason.CONTENT_FILTER])
def test_a_reply_that_was_cut_does_not_pass(reason: FinishReason) -> None:
    assert verdict_of(ChatResponse(ALLOW, finish_reason=reason)) == UNREADABLE


def test_a_reply_with_a_tool_call_does_not_pass() -> None:
    assert verdict_of(ChatResponse(ALLOW, tool_calls=(ToolCall("c1", "allow", "{}"),))) == UNREADABLE


def test_a_long_reason_is_cut() -> None:
    said = verdict_of(ChatResponse('{"decision": "ask", "reason": "' + "x" * 5_000 + '"}'))
    assert said == ReviewVerdict(False, "x" * 499 + "…")
