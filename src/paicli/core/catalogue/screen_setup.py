"""What a person reads about the first start and the doctor; code → (zh, en)."""

TEXTS: dict[str, tuple[str, str]] = {}
