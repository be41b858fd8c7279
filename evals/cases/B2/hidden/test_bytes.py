"""Each class is a check of the case."""

import tempfile
import unittest
from pathlib import Path

from shopconf.document import Document

BOM = "\ufeff"


class _Files(unittest.TestCase):
    def load(self, text):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = Path(folder.name) / "a.ini"
        self.path.write_bytes(text.encode())
        return Document.load(self.path)

    def after(self, text, key, value):
        document = self.load(text)
        document.set(key, value)
        document.save(self.path)
        return self.path.read_bytes().decode()


class reading(_Files):
    def test_the_mark_is_no_part_of_the_first_key(self):
        document = self.load(f"{BOM}a = 1\r\nb = 2\r\n")
        self.assertEqual((document.get("a"), document.get("b"), document.keys()), ("1", "2", ["a", "b"]))

    def test_a_mark_inside_is_text(self):
        self.assertEqual(self.load(f"{BOM}a = x{BOM}y\n").get("a"), f"x{BOM}y")

    def test_empty_files(self):
        self.assertEqual((self.load("").keys(), self.load(BOM).keys()), ([], []))

    def test_a_last_line_without_an_end(self):
        self.assertEqual(self.load("a = 1\r\nb = 2").get("b"), "2")

    def test_comments_and_sections_are_no_entries(self):
        self.assertEqual(self.load("# a = 1\r\n; b = 2\r\n[c=d]\r\ne = f = g\r\n").keys(), ["e"])


class separators(_Files):
    def test_only_line_feeds_end_a_line(self):
        for character in "\u2028\u2029\x85\x0b\x0c\x1c\x1d\x1e":
            document = self.load(f"a = x{character}b = y\nc = z\n")
            self.assertEqual((document.keys(), document.get("a")), (["a", "c"], f"x{character}b = y"))


class unicode_keys(_Files):
    def test_composed_and_decomposed_are_the_same(self):
        self.assertEqual(self.load("re\u0301duction = 5\n").get("r\u00e9duction"), "5")
        self.assertEqual(self.load("r\u00e9duction = 5\n").get("RE\u0301DUCTION"), "5")

    def test_keys_are_told_as_written(self):
        self.assertEqual(self.load("re\u0301duction = 5\n").keys(), ["re\u0301duction"])

    def test_compatible_is_not_the_same(self):
        self.assertIsNone(self.load("\uff41 = 1\n").get("a"))


class untouched(_Files):
    def test_each_line_keeps_its_own_end(self):
        before = f"{BOM}a = 1\r\nb = 2\nc = 3\r\n\r\n[d]\nlast = 9"
        self.assertEqual(self.after(before, "b", "7"), before.replace("b = 2", "b = 7"))
        self.assertEqual(self.after(before, "c", "7"), before.replace("c = 3", "c = 7"))
        self.assertEqual(self.after(before, "last", "10"), before.replace("last = 9", "last = 10"))

    def test_the_key_and_the_spaces_stay(self):
        self.assertEqual(self.after("  Re\u0301 =\t 5 % \t\r\n", "r\u00e9", "6 %"), "  Re\u0301 =\t 6 % \t\r\n")
        self.assertEqual(self.after("a=1\n", "A", "2"), "a=2\n")

    def test_a_value_that_stands_twice_in_the_line(self):
        self.assertEqual(self.after("5 = 5\n", "5", "6"), "5 = 6\n")
        self.assertEqual(self.after("a = b = b\n", "a", "c"), "a = c\n")

    def test_an_empty_value(self):
        self.assertEqual(self.after("a =\r\nb = 1\r\n", "a", "x").replace("a = x", "a =x"), "a =x\r\nb = 1\r\n")

    def test_saving_what_was_not_changed_changes_nothing(self):
        before = f"{BOM}x = a\u2028b\x85c\r\n\n\r\ny = \x0c1"
        document = self.load(before)
        document.save(self.path)
        self.assertEqual(self.path.read_bytes().decode(), before)

    def test_only_the_first_of_two(self):
        self.assertEqual(self.after("a = 1\na = 2\n", "a", "3"), "a = 3\na = 2\n")


class appended(_Files):
    def test_with_the_end_that_most_lines_have(self):
        self.assertEqual(self.after("a = 1\r\nb = 2\r\nc = 3\n", "d", "4"), "a = 1\r\nb = 2\r\nc = 3\nd = 4\r\n")
        self.assertEqual(self.after("a = 1\nb = 2\n", "d", "4"), "a = 1\nb = 2\nd = 4\n")

    def test_after_a_line_without_an_end(self):
        self.assertEqual(self.after(f"{BOM}a = 1\r\nb = 2", "d", "4"), f"{BOM}a = 1\r\nb = 2\r\nd = 4\r\n")
