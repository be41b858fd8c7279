"""May this happen? Path and command guards, plain reading, approval rules; later the tool policy, URL trust, audit.

Entry types: `PathGuard`, `CommandGuard`, `RuleSet`; `shell/` reads commands without running them. Decides on the
parsed or resolved thing; unknown means ask. Imports core only.
"""
