"""May this happen? Path and command guards, approval rules; later the turn's tool policy, URL trust and audit.

Entry types: `PathGuard`, `CommandGuard`. Decides on the parsed or resolved thing; unknown means ask. Imports core only.
"""
