"""What a person reads about input and mentions; code → (zh, en)."""

TEXTS: dict[str, tuple[str, str]] = {}
