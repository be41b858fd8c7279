import json

from stockroom import store
from tests.base import CommandTest


class AddAndMoveTest(CommandTest):
    def test_amounts_add_up(self):
        self.run_command("add", "screws", "A1", "3")
        self.run_command("add", "screws", "A1", "4")
        self.assertEqual(store.load(self.file), [store.Item("screws", "A1", 7)])

    def test_what_is_unknown_is_said(self):
        self.assertEqual(self.run_command("move", "nails", "B1"), (1, "", "stockroom: no item nails\n"))

    def test_a_broken_store_is_said(self):
        self.file.write_text("[]")
        self.assertEqual(self.run_command("show")[0], 1)


class ShowTest(CommandTest):
    def test_by_name(self):
        self.fill(("b", "A1", 1), ("a", "A2", 2))
        self.assertEqual(self.run_command("show"), (0, "a\tA2\t2\nb\tA1\t1\n", ""))

    def test_json(self):
        self.fill(("b", "A1", 1))
        status, out, _ = self.run_command("show", "--json")
        self.assertEqual((status, json.loads(out)), (0, [{"name": "b", "shelf": "A1", "amount": 1}]))
