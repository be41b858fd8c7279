import contextlib
import io
import tempfile
import unittest
from pathlib import Path

from stockroom import store
from stockroom.cli import main


class CommandTest(unittest.TestCase):
    """Runs commands on a store of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "stock.json"

    def fill(self, *items):
        store.save(self.file, [store.Item(*item) for item in items])

    def run_command(self, *arguments):
        """(exit status, stdout, stderr)"""
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                status = main(["--file", str(self.file), *arguments])
            except SystemExit as left:
                status = left.code
        return status, out.getvalue(), err.getvalue()
