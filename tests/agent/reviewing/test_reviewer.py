import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from paicli.agent.reviewing.reviewer import CommandReviewer, ReviewedCommand, start_timer
from paicli.agent.reviewing.verdict import ReviewVerdict
from paicli.context.prompt_library import PromptLibrary
from paicli.core.cancellation import CancellationToken
from paicli.core.errors import LlmError, LlmRejected, LlmUnreachable, SettingsError, TurnCancelled
from paicli.core.events import EventBody, ModelReplyReceived, ModelRequestFailed, ModelRequestStarted
from paicli.core.masking import SecretMasker
from paicli.core.messages import ChatRequest, ChatResponse, ResponseFormat, SystemMessage, UserMessage
from paicli.llm.asking import ModelAsker
from tests.fakes.openai_server import REVIEWER_BEGINS
from tests.fakes.scripted_client import Answer, ScriptedClient
from tests.patience import PATIENCE_S

ALLOW = ChatResponse('{"decision":"allow","reason":"a test run"}', thinking="hm")


class FakeTimers:
    """Fires when the test says so."""

    def __init__(self) -> None:
        self.waiting: list[tuple[float, Callable[[], None]]] = []
        self.called_off = 0

    def __call__(self, seconds: float, then: Callable[[], None], /) -> Callable[[], None]:
        self.waiting.append((seconds, then))

        def call_off() -> None:
            self.called_off += 1

        return call_off


class Review:
    def __init__(self, answer: Answer, *, secrets: tuple[str, ...] = ()) -> None:
        self.client = ScriptedClient({"review": [answer]})
        self.timers = FakeTimers()
        self.events: list[EventBody] = []
        self.cancel = CancellationToken()
        masker = SecretMasker(secrets)
        self.reviewer = CommandReviewer(
            ModelAsker(self.client, masker=masker),
            system_prompt=lambda: "the rules",
            masker=masker,
            start_timer=self.timers,
        )

    def of(self, command: str = "make test", **fields: Any) -> ReviewVerdict:
        given = {"folder": "/work", "words": ("run the tests",), "argument_characters": len(command), **fields}
        reviewed = ReviewedCommand(command, **given)
        return self.reviewer.review(reviewed, asker="task_1/review", emit=self.events.append, cancel=self.cancel)


def waits_for_its_cancel(request: ChatRequest, cancel: CancellationToken) -> ChatResponse:
    assert cancel.wait(PATIENCE_S)
    raise TurnCancelled


def test_the_reviewer_gets_one_short_request_without_tools_and_with_thinking_off() -> None:
    review = Review(ALLOW)
    assert review.of() == ReviewVerdict(True, "a test run")
    data = '{"user_words": ["run the tests"], "folder": "/work", "command": "make test"}'
    assert review.client.requests == [
        ChatRequest(
            (SystemMessage("the rules"), UserMessage(data)),
            thinking=False,
            response_format=ResponseFormat.JSON_OBJECT,
            actor="task_1/review",
        )
    ]
    assert review.timers.called_off == 1


def test_nothing_of_a_review_streams() -> None:
    review = Review(ALLOW)
    review.of()
    assert [type(body) for body in review.events] == [ModelRequestStarted, ModelReplyReceived]
    assert isinstance(review.events[0], ModelRequestStarted)
    assert review.events[0].purpose == "review"


def test_what_the_guard_could_not_read_is_marked() -> None:
    review = Review(ALLOW)
    review.of('echo "open', guard_note="无法可靠解析这条命令: echo", in_background=True)
    (request,) = review.client.requests
    assert json.loads(request.messages[1].content) == {
        "user_words": ["run the tests"],
        "folder": "/work",
        "command": 'echo "open',
        "background": True,
        "guard_note": "无法可靠解析这条命令: echo",
    }


def test_secrets_stay_at_home_and_nothing_hides_from_the_reviewer() -> None:  # C84
    review = Review(ALLOW, secrets=("hunter2-secret",))
    review.of("echo hunter2-secret \U000e0061\u202e\u200b\u2028 好", words=("it is hunter2-secret",))
    (request,) = review.client.requests
    assert request.messages[1].content == (
        '{"user_words": ["it is ***"], "folder": "/work", "command": "echo *** \\udb40\\udc61\\u202e\\u200b\\u2028 好"}'
    )


def test_a_reason_comes_without_secrets() -> None:
    review = Review(ChatResponse('{"decision":"ask","reason":"prints hunter2-secret"}'), secrets=("hunter2-secret",))
    assert review.of() == ReviewVerdict(False, "prints ***")


def test_many_words_are_cut_in_the_middle() -> None:
    review = Review(ALLOW)
    review.of(words=("first " * 2_000, "the last word"))
    sent = json.loads(review.client.requests[0].messages[1].content)["user_words"]
    assert [len(part) for part in sent] == [4_000, 1, 4_000]
    assert sent[0].startswith("first first")
    assert sent[2].endswith("the last word")


def test_over_32000_characters_of_arguments_do_not_pass_and_nobody_is_asked() -> None:
    review = Review(ALLOW)
    assert review.of(argument_characters=32_001) == ReviewVerdict(False, "review.why_too_long")
    assert review.client.requests == []
    assert review.of(argument_characters=32_000).is_allowed


@pytest.mark.parametrize("error", [LlmUnreachable("llm.unreachable"), LlmRejected("llm.rejected", status=400)])
def test_an_error_does_not_pass(error: LlmError) -> None:
    review = Review(error)
    assert review.of() == ReviewVerdict(False, "review.why_failed")
    assert isinstance(review.events[-1], ModelRequestFailed)


def test_a_prompt_that_cannot_be_read_does_not_pass() -> None:
    def raise_it(request: ChatRequest, cancel: CancellationToken) -> ChatResponse:
        raise SettingsError("settings.prompt_missing", name="x", folders="y")

    assert Review(raise_it).of() == ReviewVerdict(False, "review.why_failed")


def test_twenty_seconds_without_an_answer_do_not_pass_and_the_request_is_cancelled() -> None:
    review = Review(waits_for_its_cancel)
    verdicts: list[ReviewVerdict] = []
    asking = threading.Thread(target=lambda: verdicts.append(review.of()), daemon=True)
    review.client.chat, asked = _announced(review.client.chat)
    asking.start()
    assert asked.wait(PATIENCE_S)
    ((seconds, fire),) = review.timers.waiting
    fire()
    asking.join(PATIENCE_S)
    assert seconds == 20.0
    assert verdicts == [ReviewVerdict(False, "review.why_timeout")]
    assert not review.cancel.cancelled


def test_an_answer_that_comes_with_the_cancel_of_the_turn_counts_for_nothing() -> None:
    def cancels_and_allows(request: ChatRequest, cancel: CancellationToken) -> ChatResponse:
        review.cancel.cancel()
        return ALLOW

    review = Review(cancels_and_allows)
    with pytest.raises(TurnCancelled):
        review.of()


def test_a_cancel_of_the_turn_ends_the_review_as_cancelled() -> None:
    def is_cancelled(request: ChatRequest, cancel: CancellationToken) -> ChatResponse:
        review.cancel.cancel()
        return waits_for_its_cancel(request, cancel)

    review = Review(is_cancelled)
    with pytest.raises(TurnCancelled):
        review.of()
    assert review.timers.called_off == 1


def test_the_wall_clocks_timer_fires_once_or_is_called_off() -> None:
    fired = threading.Event()
    start_timer(0.0, fired.set)
    assert fired.wait(PATIENCE_S)
    never = threading.Event()
    start_timer(60.0, never.set)()
    assert not never.is_set()


def test_the_prompt_names_every_rule_and_begins_as_the_fakes_know_it(tmp_path: Path) -> None:
    text = PromptLibrary(tmp_path).text("modes/command-review.md")
    assert text.startswith(REVIEWER_BEGINS)
    for word in (
        "只读取",
        "容易撤销",
        "覆盖",
        "git 历史",
        "推送、发布、部署",
        "网络",
        "安装",
        "密钥",
        "系统设置",
        "进程",
    ):
        assert word in text
    for word in ("项目文件夹以外", "拿不准", "已批准", '"decision"', '"reason"'):
        assert word in text


Chat = Callable[..., ChatResponse]


def _announced(chat: Chat) -> tuple[Any, threading.Event]:
    """`chat`, and an event that is set when it is called."""
    called = threading.Event()

    def announce(*arguments: Any) -> ChatResponse:
        called.set()
        return chat(*arguments)

    return announce, called
