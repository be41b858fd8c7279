"""May this happen? Path and command guards, plain reading, approval rules; later the turn's tool policy, URL trust and audit.

Entry types: `PathGuard`, `CommandGuard`, `RuleSet`. Decides on the parsed or resolved thing; unknown means ask. Imports core only.
"""
