"""How the project's files stood, kept in a git repository of paicli's own beside the project."""
