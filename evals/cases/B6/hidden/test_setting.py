"""Each class is a check of the case."""

import os
import subprocess
import sys
import tempfile
import unittest
import warnings
from pathlib import Path

from cacheproxy.config import load

OLD, NEW = "PROXY_CACHE_TTL", "PROXY_CACHE_MAX_AGE_S"


class _Settings(unittest.TestCase):
    def load(self, text=None, **environment):
        """(the setting, what was warned of)"""
        with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            file = Path(folder) / "a.toml"
            file.write_text(text or "", encoding="utf-8")
            config = load(environment, file if text is not None else None)
        wrong = [each for each in heard if not issubclass(each.category, DeprecationWarning)]
        self.assertEqual(wrong, [])
        return config.cache_max_age_s, [str(each.message) for each in heard]


class new_name(_Settings):
    def test_default_file_and_environment(self):
        self.assertEqual(self.load(), (900, []))
        self.assertEqual(self.load("cache_max_age_s = 90\n"), (90, []))
        self.assertEqual(self.load("cache_max_age_s = 90\n", **{NEW: "0"}), (0, []))

    def test_a_wrong_value_is_named(self):
        for wrong in ("soon", "-1", "1.5", ""):
            with self.assertRaisesRegex(ValueError, NEW):
                self.load(**{NEW: wrong})
        with self.assertRaisesRegex(ValueError, "cache_max_age_s"):
            self.load("cache_max_age_s = -3\n")

    def test_it_is_used_in_seconds(self):
        from cacheproxy.cache import Cache
        from cacheproxy.headers import cache_control

        config = load({NEW: "90"})
        seconds = [0]
        cache = Cache(config, lambda: seconds[0])
        cache.put("a", 1)
        seconds[0] = 89
        self.assertEqual(cache.get("a"), 1)
        seconds[0] = 90
        self.assertIsNone(cache.get("a"))
        self.assertEqual(cache_control(config), "max-age=90")
        self.assertEqual(cache_control(load({NEW: "0"})), "no-store")

    def test_it_is_shown(self):
        command = [sys.executable, "-m", "cacheproxy", "--show-config"]
        done = subprocess.run(command, env=os.environ | {NEW: "45"}, capture_output=True, text=True, check=False)
        self.assertEqual(done.stdout.splitlines()[-1], "cache_max_age_s = 45")


class fallback(_Settings):
    def check(self, found, seconds, old, new):
        self.assertEqual(found[0], seconds)
        self.assertTrue(any(old in text and new in text for text in found[1]), f"warned of {found[1]}")

    def test_the_old_variable_counts_minutes(self):
        self.check(self.load(**{OLD: "2"}), 120, OLD, NEW)
        self.check(self.load(**{OLD: "0"}), 0, OLD, NEW)

    def test_the_old_key_counts_minutes(self):
        self.check(self.load("cache_ttl = 7\n"), 420, "cache_ttl", "cache_max_age_s")

    def test_a_wrong_value_has_the_name_that_was_written(self):
        with self.assertRaisesRegex(ValueError, OLD):
            self.load(**{OLD: "soon"})
        with self.assertRaisesRegex(ValueError, "cache_ttl"):
            self.load("cache_ttl = -1\n")


class order(_Settings):
    def test_the_new_name_wins_within_a_source(self):
        self.assertEqual(self.load(**{OLD: "2", NEW: "5"})[0], 5)
        self.assertEqual(self.load("cache_ttl = 2\ncache_max_age_s = 5\n")[0], 5)
        self.assertEqual(self.load(**{OLD: "soon", NEW: "0"})[0], 0)

    def test_both_are_warned_of(self):
        self.assertEqual(len(self.load(**{OLD: "2", NEW: "5"})[1]), 1)

    def test_the_old_variable_wins_over_the_file(self):
        self.assertEqual(self.load("cache_max_age_s = 5\n", **{OLD: "2"})[0], 120)
        self.assertEqual(self.load("cache_ttl = 9\n", **{OLD: "2"})[0], 120)
        self.assertEqual(self.load("cache_ttl = 9\n", **{NEW: "2"})[0], 2)
