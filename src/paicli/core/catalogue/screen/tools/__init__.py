"""What a person reads about tool calls."""
