"""Puts a session together from the settings: every part is made here and handed what it needs.

Entry: `assemble`. Imports every room.
"""

from paicli.app.wiring.assembly import Assembly, assemble

__all__ = ["Assembly", "assemble"]
