"""How a session begins: what it shows at once, and what is put together while the person looks at the prompt."""
