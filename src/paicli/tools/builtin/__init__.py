"""The tools paicli brings: files, search, commands, projects, todo list; one file each.

Imports core, system, policy and `paicli.tools`.
"""
