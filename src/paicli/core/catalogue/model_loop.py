"""What a model reads about the tool loop; code → text (Chinese in both interface languages)."""

TEXTS: dict[str, str] = {}
