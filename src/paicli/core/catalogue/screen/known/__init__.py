"""What a person reads about what the model knows before it is asked: rules, memory, skills."""
