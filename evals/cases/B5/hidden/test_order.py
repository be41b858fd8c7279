"""Each class is a check of the case. Limits of time only end a test that has failed already."""

import queue
import threading
import unittest

from pricefeed.pool import Outcome, map_all, stream

LIMIT_S = 2


def within_limit(work):
    """What `work` returns or raises; an AssertionError where it does not end."""
    found = queue.SimpleQueue()

    def run():
        try:
            found.put((work(), None))
        except BaseException as error:
            found.put((None, error))

    threading.Thread(target=run, daemon=True).start()
    try:
        value, error = found.get(timeout=LIMIT_S)
    except queue.Empty:
        raise AssertionError("no end") from None
    if error is not None:
        raise error
    return value


class Turned:
    """Lets the calls of a group end in the reverse order of their items."""

    def __init__(self, count):
        self.ended = [threading.Event() for _ in range(count + 1)]
        self.ended[count].set()

    def __call__(self, number):
        if not self.ended[number + 1].wait(LIMIT_S):
            raise AssertionError(f"{number + 1} did not run beside {number}")
        self.ended[number].set()
        return number


class order(unittest.TestCase):
    def test_the_last_ends_first(self):
        found = within_limit(lambda: map_all(Turned(4), range(4), limit=4))
        self.assertEqual(found, [Outcome(number) for number in range(4)])

    def test_equal_items_keep_their_places(self):
        ended = threading.Event()
        lock = threading.Lock()
        seen = []

        def work(item):
            with lock:
                seen.append(item)
                is_first = len(seen) == 1
            if is_first:
                ended.wait(LIMIT_S)
                return "first"
            ended.set()
            return "second"

        found = within_limit(lambda: map_all(work, ["same", "same"], limit=2))
        self.assertEqual([each.value for each in found], ["first", "second"])

    def test_items_that_can_not_be_compared_or_counted(self):
        found = within_limit(lambda: map_all(len, (each for each in ({}, {"a": 1}, [1, 2])), limit=1))
        self.assertEqual([each.value for each in found], [0, 1, 2])

    def test_no_items(self):
        self.assertEqual(within_limit(lambda: map_all(len, iter(()), limit=3)), [])


class streams(unittest.TestCase):
    def test_what_is_ready_comes_before_the_rest_ends(self):
        last_may_end = threading.Event()
        self.addCleanup(last_may_end.set)

        def work(number):
            if number == 2:
                last_may_end.wait(LIMIT_S * 2)
            return number

        outcomes = stream(work, range(3), limit=3)
        self.assertEqual(within_limit(lambda: [next(outcomes), next(outcomes)]), [Outcome(0), Outcome(1)])
        self.assertFalse(last_may_end.is_set())
        last_may_end.set()
        self.assertEqual(within_limit(lambda: list(outcomes)), [Outcome(2)])

    def test_in_the_order_of_the_items(self):
        self.assertEqual(within_limit(lambda: [each.value for each in stream(Turned(3), range(3), limit=3)]), [0, 1, 2])


class parallel(unittest.TestCase):
    def test_as_many_as_allowed_run_at_once(self):
        for limit in (2, 5):
            barrier = threading.Barrier(limit)

            def work(number, barrier=barrier):
                barrier.wait(LIMIT_S)
                return number

            found = within_limit(lambda work=work, limit=limit: map_all(work, range(limit * 2), limit=limit))
            self.assertEqual([each.error for each in found], [None] * limit * 2)

    def test_one_that_hangs_does_not_hold_the_others(self):
        """The rest of the items runs on the other thread."""
        rest = threading.Semaphore(0)

        def work(number):
            if number == 0:
                for _ in range(5):
                    if not rest.acquire(timeout=LIMIT_S):
                        raise AssertionError("the others wait")
            else:
                rest.release()
            return number

        found = within_limit(lambda: map_all(work, range(6), limit=2))
        self.assertEqual(sorted(each.value for each in found), list(range(6)))


class limit(unittest.TestCase):
    def test_never_more_than_allowed(self):
        """Four that may not meet wait for each other for a moment."""
        meeting = threading.Barrier(4)
        met = []

        def work(number):
            if number < 4:
                try:
                    met.append(meeting.wait(0.5))
                except threading.BrokenBarrierError:
                    return

        within_limit(lambda: map_all(work, range(30), limit=3))
        self.assertEqual(met, [])

    def test_one_means_one_after_another(self):
        begun = []
        within_limit(lambda: map_all(begun.append, range(20), limit=1))
        self.assertEqual(begun, list(range(20)))

    def test_less_than_one_is_refused_at_the_call(self):
        for wrong in (0, -1):
            with self.assertRaises(ValueError):
                stream(len, [], limit=wrong)
            with self.assertRaises(ValueError):
                map_all(len, [], limit=wrong)


class errors(unittest.TestCase):
    def test_each_error_stands_in_its_place(self):
        wrong = KeyError("b")

        def work(item):
            if item == "b":
                raise wrong
            return item

        found = within_limit(lambda: map_all(work, "abc", limit=2))
        self.assertEqual(found, [Outcome("a"), Outcome(error=wrong), Outcome("c")])

    def test_all_may_fail(self):
        found = within_limit(lambda: map_all(lambda item: 1 / item, [0] * 9, limit=4))
        self.assertEqual([type(each.error) for each in found], [ZeroDivisionError] * 9)
