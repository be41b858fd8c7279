"""Each class is a check of the case."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ITEMS = [("螺丝", "A1", 4), ("垫圈", "A2", 5), ("扳手", "B1", 0), ("b", "C1", 2), ("a", "C2", 2)]


class _Command(unittest.TestCase):
    def low(self, *arguments, items=ITEMS, text=None):
        """(exit status, stdout, stderr)"""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "stock.json"
            names = ("name", "shelf", "amount")
            written = json.dumps({"items": [dict(zip(names, item, strict=True)) for item in items]})
            file.write_text(written if text is None else text, encoding="utf-8")
            command = [sys.executable, "-X", "utf8", "-m", "stockroom", "--file", str(file), "low", *arguments]
            done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=20, check=False)
            self.assertEqual(file.read_text(encoding="utf-8"), written if text is None else text)
        return done.returncode, done.stdout, done.stderr


class command(_Command):
    def test_less_than_five_by_amount_and_name(self):
        expected = "扳手\tB1\t0\na\tC2\t2\nb\tC1\t2\n螺丝\tA1\t4\n"
        self.assertEqual(self.low(), (3, expected, ""))

    def test_the_limit_itself_is_enough(self):
        self.assertEqual(self.low("--below", "2"), (3, "扳手\tB1\t0\n", ""))
        self.assertEqual(self.low("--below=6", items=ITEMS[1:2]), (3, "垫圈\tA2\t5\n", ""))

    def test_nothing_is_low(self):
        self.assertEqual(self.low(items=[("a", "A1", 5)]), (0, "", ""))
        self.assertEqual(self.low(items=[]), (0, "", ""))

    def test_json(self):
        status, out, err = self.low("--below", "1", "--json")
        self.assertEqual((status, err), (3, ""))
        self.assertEqual(json.loads(out), [{"name": "扳手", "shelf": "B1", "amount": 0}])
        self.assertIn("扳手", out)
        status, out, _ = self.low("--json", items=[])
        self.assertEqual((status, json.loads(out)), (0, []))


class help_text(_Command):
    def test_the_list_of_commands_names_it(self):
        done = subprocess.run([sys.executable, "-m", "stockroom", "--help"], capture_output=True, text=True, check=True)
        self.assertRegex(done.stdout, r"(?m)^\s+low\s+\S")

    def test_its_own_help_names_its_options(self):
        status, out, _ = self.low("--help")
        self.assertEqual(status, 0)
        self.assertRegex(out, r"--below N\s+\S")
        self.assertRegex(out, r"--json\s+\S")
        self.assertIn("5", out)


class errors(_Command):
    def test_what_is_no_positive_number_is_wrong_usage(self):
        for wrong in ("0", "-1", "x", "1.5", ""):
            status, out, err = self.low(f"--below={wrong}")
            self.assertEqual((status, out), (2, ""), wrong)
            self.assertIn("--below", err)

    def test_a_broken_store_is_said_as_by_the_others(self):
        status, out, err = self.low(text="[]")
        self.assertEqual((status, out), (1, ""))
        self.assertTrue(err.startswith("stockroom: stock.json: no store"), err)
