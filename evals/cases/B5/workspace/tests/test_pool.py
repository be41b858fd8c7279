import time
import unittest

from pricefeed.pool import Outcome, map_all


def slower_and_slower(number):
    time.sleep(0.01 * number)
    return number * 10


class MapAllTest(unittest.TestCase):
    def test_every_item_has_an_outcome(self):
        # sometimes red on CI
        found = map_all(slower_and_slower, [0, 1, 2], limit=3)
        self.assertEqual(found, [Outcome(0), Outcome(10), Outcome(20)])

    def test_a_wrong_value_is_an_error_of_its_item(self):
        (found,) = map_all(int, ["x"])
        self.assertIsInstance(found.error, ValueError)
