"""Confines commands: where they may write, what they can't read, whether they reach the network."""
