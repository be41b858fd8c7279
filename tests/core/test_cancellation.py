import gc
import threading

import pytest

from paicli.core.cancellation import CancellationToken
from paicli.core.errors import TurnCancelled
from tests.patience import PATIENCE_S


def test_a_cancel_runs_each_callback_once_and_ends_a_wait() -> None:
    token, calls = CancellationToken(), []
    token.on_cancel(lambda: calls.append("a"))
    forget = token.on_cancel(lambda: calls.append("b"))
    forget()
    waiter_saw = []
    waiter = threading.Thread(target=lambda: waiter_saw.append(token.wait(PATIENCE_S)))
    waiter.start()
    token.cancel()
    token.cancel()
    waiter.join(PATIENCE_S)
    assert (calls, waiter_saw, token.cancelled) == (["a"], [True], True)


def test_a_callback_on_a_cancelled_token_runs_at_once() -> None:
    token, calls = CancellationToken(), []
    token.cancel()
    token.on_cancel(lambda: calls.append("late"))
    assert calls == ["late"]
    with pytest.raises(TurnCancelled):
        token.raise_if_cancelled()


def test_a_child_is_cancelled_with_its_parent_and_not_the_other_way_round() -> None:
    parent = CancellationToken()
    first, second = parent.child(), parent.child()
    first.cancel()
    assert (parent.cancelled, second.cancelled) == (False, False)
    parent.cancel()
    assert second.cancelled
    assert parent.child().cancelled


def test_a_parent_does_not_keep_its_children_alive() -> None:
    parent = CancellationToken()
    for _ in range(100):
        parent.child()
    gc.collect()
    assert len(parent._children) == 0
