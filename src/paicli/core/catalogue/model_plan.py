"""What a model reads about plans and task contexts; code → text (Chinese in both interface languages)."""

TEXTS: dict[str, str] = {}
