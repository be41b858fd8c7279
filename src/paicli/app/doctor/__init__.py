"""Looks whether paicli can work here: one finding a line."""
