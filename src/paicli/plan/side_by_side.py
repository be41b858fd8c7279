"""Runs the work of one round: alone on the calling thread, or side by side on daemon threads behind a barrier."""

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from typing import TypeVar

from paicli.core.cancellation import CancellationToken
from paicli.system.pool import DaemonPool

POOL_NAME = "paicli-plan-executor"
GRACE_S = 0.25
"""How long the barrier waits for what is still running after a cancel."""

T = TypeVar("T")


def run_side_by_side(
    work: Sequence[Callable[[], T]],
    *,
    limit: int,
    cancel: CancellationToken,
    on_hand_out: Callable[[int], None],
) -> list[T | None]:
    """What each piece returned, in order; None for what never began or did not end within 250 ms after a cancel.

    At most `limit` pieces at once; `on_hand_out` hears of each on this thread, just before it gets its thread. A
    single piece runs on the calling thread. What a piece raises is raised here.
    """
    if len(work) == 1:
        if cancel.cancelled:
            return [None]
        on_hand_out(0)
        return [work[0]()]
    futures = _run_all(work, min(len(work), limit), cancel=cancel, on_hand_out=on_hand_out)
    results: list[T | None] = [future.result() if future.done() else None for future in futures]
    return results + [None] * (len(work) - len(results))


def _run_all(
    work: Sequence[Callable[[], T]], size: int, *, cancel: CancellationToken, on_hand_out: Callable[[int], None]
) -> list[Future[T]]:
    pool = DaemonPool(POOL_NAME, size)
    changed = threading.Event()
    futures: list[Future[T]] = []
    deadline: float | None = None
    unregister = cancel.on_cancel(changed.set)
    try:
        while True:
            running = sum(not future.done() for future in futures)
            while len(futures) < len(work) and running < size and not cancel.cancelled:
                on_hand_out(len(futures))
                future = pool.submit(work[len(futures)])
                future.add_done_callback(lambda _: changed.set())
                futures.append(future)
                running += 1
            if running == 0:
                return futures
            if cancel.cancelled and deadline is None:
                deadline = time.monotonic() + GRACE_S
            left_s = None if deadline is None else deadline - time.monotonic()
            if left_s is not None and left_s <= 0:
                return futures
            changed.wait(left_s)
            changed.clear()  # whatever sets it from here on is seen in the next look
    finally:
        unregister()
