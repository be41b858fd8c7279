"""What clients are told about how long an answer holds."""


def cache_control(config):
    if config.cache_ttl == 0:
        return "no-store"
    return f"max-age={config.cache_ttl * 60}"
