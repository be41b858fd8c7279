import os
import signal
import threading

from paicli.app.unattended.inbox import Inbox, Stop
from paicli.core.events import Event, Origin, SessionFinished


def event(number: int) -> Event:
    return Event(number, 0.0, "s", Origin(), SessionFinished())


def test_items_come_out_in_order_from_any_thread() -> None:
    inbox = Inbox()
    thread = threading.Thread(target=lambda: [inbox.put(event(number)) for number in range(70_000)])
    thread.start()

    assert [inbox.take(5) for _ in range(70_000)] == [event(number) for number in range(70_000)]
    assert inbox.take(0) is None
    thread.join()
    inbox.close()


def test_a_signal_that_comes_before_the_wait_is_not_missed() -> None:
    inbox = Inbox()
    wakeup_before = signal.set_wakeup_fd(-1)
    signal.set_wakeup_fd(wakeup_before)

    with inbox.signals():
        for _ in range(200):
            # Delivered to another thread, so nothing interrupts the main thread's system call.
            thread = threading.Thread(target=lambda: signal.pthread_kill(threading.get_ident(), signal.SIGTERM))
            thread.start()
            assert inbox.take(5) is Stop.SIGNAL
            thread.join()

    restored = signal.set_wakeup_fd(wakeup_before)
    assert restored == wakeup_before
    inbox.close()


def test_an_ignored_signal_stays_ignored() -> None:
    inbox = Inbox()
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with inbox.signals():
            os.kill(os.getpid(), signal.SIGHUP)
            assert inbox.take(0) is None
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)
        inbox.close()
