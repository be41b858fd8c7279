"""What a person reads about what may happen: guards and rules, reviews, the sandbox, trust; code → (zh, en)."""
