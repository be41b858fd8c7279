import unittest

from pricefeed.report import report


class ReportTest(unittest.TestCase):
    def test_a_line_for_each(self):
        self.assertEqual(report([{"name": "a"}, {"name": "b"}], lambda each: 1.5, limit=1), "a\t1.50\nb\t1.50\n")
