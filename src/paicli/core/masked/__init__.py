"""Masks what goes out in pieces: a stream's deltas, an event's body."""
