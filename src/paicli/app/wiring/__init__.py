"""Puts a session together from the settings: every part is made here and handed what it needs.

Entries: `assembly.assemble`, and `beginning.behind_prompt` where the prompt stands first. Imports every room, and
nothing here: what needs one part would load all.
"""
