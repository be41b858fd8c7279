"""What a person reads about the interactive session; code → (zh, en)."""

TEXTS: dict[str, tuple[str, str]] = {}
