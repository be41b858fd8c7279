"""Prices of suppliers."""
