"""What a person reads about the model's endpoint; code → (zh, en)."""

TEXTS: dict[str, tuple[str, str]] = {}
