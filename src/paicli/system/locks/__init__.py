"""Locks between processes."""
