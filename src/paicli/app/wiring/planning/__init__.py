"""Puts together what plans and carries plans out. Loaded with the session's first plan.

Entry: `open_plans`.
"""

from paicli.app.wiring.planning.plans import open_plans

__all__ = ["open_plans"]
