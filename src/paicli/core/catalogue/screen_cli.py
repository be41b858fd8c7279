"""What a person reads about the command line and its output; code → (zh, en)."""

TEXTS: dict[str, tuple[str, str]] = {}
