"""How to read and write what a person types inside their words. Pure functions."""
