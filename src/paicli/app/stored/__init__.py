"""Stored sessions on the command line: which one goes on, with which settings, and which there are."""
