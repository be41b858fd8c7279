"""Files as tools see them: found by name, read as text in their encoding, edited by exact spans, changed safely."""
