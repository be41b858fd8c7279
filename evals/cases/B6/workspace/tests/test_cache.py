import unittest

from cacheproxy.cache import Cache
from cacheproxy.config import load
from cacheproxy.headers import cache_control


class CacheTest(unittest.TestCase):
    def test_an_answer_gets_too_old(self):
        seconds = [0]
        cache = Cache(load({"PROXY_CACHE_TTL": "1"}), lambda: seconds[0])
        cache.put("a", "answer")
        seconds[0] = 59
        self.assertEqual(cache.get("a"), "answer")
        seconds[0] = 60
        self.assertIsNone(cache.get("a"))

    def test_what_clients_are_told(self):
        self.assertEqual(cache_control(load({"PROXY_CACHE_TTL": "2"})), "max-age=120")
        self.assertEqual(cache_control(load({"PROXY_CACHE_TTL": "0"})), "no-store")
