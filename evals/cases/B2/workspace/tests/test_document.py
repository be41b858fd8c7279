import tempfile
import unittest
from pathlib import Path

from shopconf.document import Document


class DocumentTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = Path(self.folder.name) / "a.ini"

    def test_values_are_read_without_spaces(self):
        self.path.write_text("[a]\n# no = entry\nName = Kiosk 7\nrate=0.5\n", encoding="utf-8")
        document = Document.load(self.path)
        self.assertEqual(document.keys(), ["Name", "rate"])
        self.assertEqual((document.get("name"), document.get("rate")), ("Kiosk 7", "0.5"))

    def test_a_key_that_is_not_there_has_no_value(self):
        self.path.write_text("a = 1\n", encoding="utf-8")
        self.assertIsNone(Document.load(self.path).get("b"))

    def test_a_value_is_changed(self):
        self.path.write_text("a = 1\nb = 2\n", encoding="utf-8")
        document = Document.load(self.path)
        document.set("b", "3")
        document.save(self.path)
        self.assertEqual(self.path.read_text(encoding="utf-8"), "a = 1\nb = 3\n")


if __name__ == "__main__":
    unittest.main()
