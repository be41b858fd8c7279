"""What a person reads about the session's commands; code → (zh, en)."""

TEXTS: dict[str, tuple[str, str]] = {}
