"""The operating system, done safely: processes and their groups, atomic files below a folder, locks, daemon pools.

Entry types: `DaemonPool`, `CommandRunner`, the functions of `files`. Imports core only; sole owner of subprocess and of
files that are written.
"""
