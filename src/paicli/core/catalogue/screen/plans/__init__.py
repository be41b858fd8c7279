"""What a person reads about plans: code → (zh, en)."""
