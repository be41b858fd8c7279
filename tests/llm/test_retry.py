import time
from email.utils import formatdate
from typing import Any

import httpx
import pytest

from paicli.core.cancellation import CancellationToken
from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.errors import LlmError, LlmRateLimited, LlmRejected, LlmUnreachable, TurnCancelled
from paicli.core.messages import Delta, ReplyRestarted, RetryScheduled, TextDelta
from paicli.llm.retry import RetryingClient, RetryPolicy
from paicli.llm.wire_errors import retry_after_of
from tests.fakes.openai_server import (
    DONE,
    STARTED,
    OpenAiServer,
    Reply,
    close_before_headers,
    delta_event,
    drop_mid_stream,
    event,
    hang_before_headers,
    raw_sse,
    reset,
    say,
    status,
)
from tests.llm.asking import Answer, ask, client_for

RATE_LIMITED = {"error": {"message": "slow down"}}


class Waits:
    """A clock that stands: waits are noted and over at once."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def __call__(self, cancel: CancellationToken, seconds: float) -> bool:
        self.seconds.append(seconds)
        return cancel.cancelled


def asked(replies: list[Reply], waits: Waits, *, jitter: float = 0.0) -> Answer:
    with OpenAiServer(replies) as server:
        client = RetryingClient(client_for(server), RetryPolicy(), wait=waits, jitter=lambda: jitter)
        answer = ask(client)
        assert len(server.requests) == len(replies)
    return answer


def refused(replies: list[Reply], waits: Waits) -> LlmError:
    with OpenAiServer(replies) as server:
        client = RetryingClient(client_for(server), RetryPolicy(), wait=waits, jitter=lambda: 0.0)
        with pytest.raises(LlmError) as caught:
            ask(client)
        assert len(server.requests) == len(replies)
    return caught.value


@pytest.mark.parametrize("code", [408, 409, 429, 500, 502, 503, 504, 529])
def test_what_may_pass_is_tried_again(code: int) -> None:
    waits = Waits()
    answer = asked([status(code, {"error": {"message": "later"}}), say("ok")], waits)
    assert answer.response.content == "ok"
    assert waits.seconds == [0.5]
    [retry, text] = answer.deltas
    assert isinstance(retry, RetryScheduled)
    assert (retry.attempt, retry.max_attempts, retry.wait_s, retry.detail) == (2, 5, 0.5, f"HTTP {code}: later")
    assert Texts(Language.ZH).screen(retry.code, detail=retry.detail).endswith(f"HTTP {code}: later")
    assert text == TextDelta("ok")


def test_waits_double_from_half_a_second_and_five_tries_are_all() -> None:
    waits = Waits()
    error = refused([status(429, RATE_LIMITED)] * 5, waits)
    assert waits.seconds == [0.5, 1.0, 2.0, 4.0]
    assert (type(error), error.status) == (LlmRateLimited, 429)
    text = Texts(Language.EN).screen(error.code, **error.fields)
    assert "429" in text
    assert "slow down" in text


def test_jitter_only_shortens_a_wait_and_never_by_more_than_a_quarter() -> None:
    waits = Waits()
    asked([status(500), status(500), say("ok")], waits, jitter=1.0)
    assert waits.seconds == [0.375, 0.75]


@pytest.mark.parametrize("reply", [reset(), drop_mid_stream(STARTED), raw_sse(event({"error": {"code": 502}}))])
def test_broken_connections_and_streams_are_tried_again(reply: Reply) -> None:  # C06, C07
    assert asked([reply, say("ok")], Waits()).response.content == "ok"


def test_what_was_shown_of_a_broken_reply_is_taken_back_before_the_wait() -> None:  # C07
    partial = raw_sse(STARTED, delta_event(content="par"), event({"error": {"code": 502, "message": "full"}}), DONE)
    answer = asked([partial, say("whole")], Waits())
    assert answer.response.content == "whole"
    assert answer.deltas == [
        TextDelta("par"),
        ReplyRestarted(),
        RetryScheduled(2, 5, 0.5, "llm.brief.server_failed", "HTTP 502: full"),
        TextDelta("whole"),
    ]


@pytest.mark.parametrize(
    "reply",
    [
        reset(),
        close_before_headers(),
        drop_mid_stream(STARTED),
        hang_before_headers(),
        raw_sse(event({"error": "just text"})),
        raw_sse(event({"error": {"type": "overloaded_error"}})),
        status(500),
        status(529),
    ],
)
@pytest.mark.parametrize("language", list(Language))
def test_each_reason_for_a_retry_fits_on_one_line_and_needs_only_its_detail(reply: Reply, language: Language) -> None:
    with OpenAiServer([reply, say("ok")]) as server:
        client = RetryingClient(client_for(server, read_timeout_s=0.1), wait=Waits())
        [retry] = [delta for delta in ask(client).deltas if isinstance(delta, RetryScheduled)]
    text = Texts(language).screen(retry.code, detail=retry.detail)
    assert text.endswith(retry.detail)
    assert retry.detail
    assert "\n" not in text


@pytest.mark.parametrize(
    ("wish", "low", "high"),
    [
        ("2", 2, 2),
        ("0", 0, 0),
        ("1.5", 1.5, 1.5),
        (lambda: formatdate(time.time() + 3, usegmt=True), 1.5, 3),
        (lambda: formatdate(time.time() - 100, usegmt=True), 0, 0),
        ("-5", 0.5, 0.5),
        ("soon", 0.5, 0.5),
        ("", 0.5, 0.5),
        ("nan", 0.5, 0.5),
        ("60", 60, 60),
    ],
)
@pytest.mark.parametrize("code", [429, 503])
def test_a_servers_own_wish_wins_where_it_can_be_read(code: int, wish: Any, low: float, high: float) -> None:  # C18
    waits = Waits()
    headers = {"Retry-After": wish() if callable(wish) else wish}
    assert asked([status(code, RATE_LIMITED, headers), say("ok")], waits).response.content == "ok"
    [waited] = waits.seconds
    assert low <= waited <= high


def test_a_wish_over_the_cap_is_not_waited_for_and_told() -> None:  # C18
    waits = Waits()
    error = refused([status(429, RATE_LIMITED, {"Retry-After": "86400"})], waits)
    assert waits.seconds == []
    assert (type(error), error.code, error.status, error.retry_after_s) == (
        LlmRateLimited,
        "llm.wait_too_long",
        429,
        86_400,
    )
    assert "86400" in Texts(Language.ZH).screen(error.code, **error.fields)


@pytest.mark.parametrize(
    "reply",
    [
        status(400, RATE_LIMITED),
        status(401, RATE_LIMITED),
        status(403, RATE_LIMITED),
        status(404, RATE_LIMITED),
        status(429, {"error": {"code": "insufficient_quota", "message": "spent"}}, {"Retry-After": "1"}),
        status(200, "<html>"),
    ],
)
def test_what_cannot_pass_is_not_tried_again(reply: Reply) -> None:  # C18, C20
    waits = Waits()
    assert isinstance(refused([reply], waits), LlmRejected)
    assert waits.seconds == []


def test_a_cancel_during_the_wait_ends_the_request() -> None:
    cancel = CancellationToken()

    def cancelled_meanwhile(token: CancellationToken, seconds: float) -> bool:
        token.cancel()
        return True

    with OpenAiServer([status(503)]) as server:
        client = RetryingClient(client_for(server), RetryPolicy(), wait=cancelled_meanwhile)
        with pytest.raises(TurnCancelled):
            ask(client, cancel=cancel)


def test_deltas_of_all_tries_reach_the_same_listener_in_order() -> None:
    heard: list[Delta] = asked([reset(), drop_mid_stream(), say("x")], Waits()).deltas
    assert [type(delta) for delta in heard] == [RetryScheduled, TextDelta, ReplyRestarted, RetryScheduled, TextDelta]


def test_connect_failures_are_tried_again_and_named_at_last() -> None:
    server = OpenAiServer([])
    server.close()
    waits = Waits()
    client = RetryingClient(client_for(server), RetryPolicy(max_attempts=3), wait=waits, jitter=lambda: 0.0)
    with pytest.raises(LlmUnreachable):
        ask(client)
    assert waits.seconds == [0.5, 1.0]


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": " 7 "}, 7),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:10 GMT"}, 10),
        ({"retry-after": "Wed, 21 Oct 2026 07:27:00 GMT"}, 0),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "１２"}, None),
        ({"retry-after": "Wed, 99 Oct"}, None),
    ],
)
def test_wishes_are_read_exactly(headers: dict[str, str], seconds: float | None) -> None:  # C18
    now = 1_792_567_680.0  # Wed, 21 Oct 2026 07:28:00 GMT
    raw = [(name.encode(), value.encode("utf-8")) for name, value in headers.items()]
    assert retry_after_of(httpx.Headers(raw), now=now) == seconds
