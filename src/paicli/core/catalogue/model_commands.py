"""What a model reads about commands, projects and the todo list; code → text (Chinese in both interface languages)."""

TEXTS: dict[str, str] = {}
