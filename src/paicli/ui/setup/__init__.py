"""Asking a person line by line before there is a session: lists, texts, hidden keys, and a wait that can be ended."""
