"""What a model reads about guards, approvals and denials; code → text (Chinese in both interface languages)."""

TEXTS: dict[str, str] = {}
