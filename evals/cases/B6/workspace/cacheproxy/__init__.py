"""Keeps answers of a slow upstream."""
