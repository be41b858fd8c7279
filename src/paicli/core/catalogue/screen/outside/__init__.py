"""What a person reads about what comes from outside: the web."""
