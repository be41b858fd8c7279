"""What a person reads about plans; code → (zh, en)."""

TEXTS: dict[str, tuple[str, str]] = {}
