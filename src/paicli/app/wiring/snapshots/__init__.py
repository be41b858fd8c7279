"""Snapshots wired into a session: its turns, its ops, its queries, the tool restore."""
