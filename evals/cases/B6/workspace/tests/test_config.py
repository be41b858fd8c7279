import tempfile
import unittest
from pathlib import Path

from cacheproxy.config import load


class ConfigTest(unittest.TestCase):
    def written(self, text):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        file = Path(folder.name) / "proxy.toml"
        file.write_text(text, encoding="utf-8")
        return file

    def test_defaults(self):
        self.assertEqual(load({}).cache_ttl, 15)

    def test_the_environment_wins_over_the_file(self):
        file = self.written("cache_ttl = 7\n")
        self.assertEqual(load({}, file).cache_ttl, 7)
        self.assertEqual(load({"PROXY_CACHE_TTL": "0"}, file).cache_ttl, 0)

    def test_a_wrong_value_is_named(self):
        with self.assertRaisesRegex(ValueError, "PROXY_CACHE_TTL: 'soon'"):
            load({"PROXY_CACHE_TTL": "soon"})
