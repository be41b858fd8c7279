"""Where settings come from: defaults, then a TOML file, then the environment."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

DEFAULT_TTL_MINUTES = 15


@dataclass(frozen=True)
class Config:
    upstream: str
    cache_ttl: int
    """Minutes that an answer is kept."""


def load(environment, file=None):
    """Raises ValueError that names the setting with a wrong value."""
    written = tomllib.loads(Path(file).read_text(encoding="utf-8")) if file else {}
    upstream = environment.get("PROXY_UPSTREAM") or written.get("upstream") or "http://127.0.0.1:9000"
    ttl = environment.get("PROXY_CACHE_TTL")
    if ttl is not None:
        return Config(upstream, _whole("PROXY_CACHE_TTL", ttl))
    return Config(upstream, _whole("cache_ttl", written.get("cache_ttl", DEFAULT_TTL_MINUTES)))


def _whole(name, value):
    try:
        number = int(value)
    except (TypeError, ValueError):
        number = -1
    if number < 0:
        raise ValueError(f"{name}: {value!r} is no whole number from 0")
    return number
