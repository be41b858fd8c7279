"""Entries of a folder tree put back and taken away: files, links, empty folders; no link is ever followed."""
