"""What a person reads about errors; code → (zh, en)."""

TEXTS: dict[str, tuple[str, str]] = {}
