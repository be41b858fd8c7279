"""What a person reads about what an agent may do."""
