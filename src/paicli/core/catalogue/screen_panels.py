"""What a person reads about questions and lists in the session; code → (zh, en)."""

TEXTS: dict[str, tuple[str, str]] = {}
