"""May this happen? Guards on paths, commands and addresses, plain reading, approval rules, what a turn's words forbid.

Entry types: `PathGuard`, `CommandGuard`, `NetworkGuard`, `RuleSet`, `TurnToolPolicy`; `shell/` reads commands without
running them. Decides on the parsed or resolved thing; unknown means ask. Imports core only.
"""
