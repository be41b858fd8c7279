"""Answers by URL, each until it is too old."""


class Cache:
    def __init__(self, config, now):
        """`now`: a function that gives seconds."""
        self._max_age_s = config.cache_ttl * 60
        self._now = now
        self._kept = {}

    def put(self, url, answer):
        if self._max_age_s:
            self._kept[url] = (self._now(), answer)

    def get(self, url):
        at, answer = self._kept.get(url, (None, None))
        return answer if at is not None and self._now() - at < self._max_age_s else None
