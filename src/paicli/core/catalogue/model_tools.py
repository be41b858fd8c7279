"""What a model reads about tools and their results; code → text (Chinese in both interface languages)."""

TEXTS: dict[str, str] = {}
