"""The model's review of commands in auto and plan mode.

Entry: `CommandReview`, asked by the gate for each command that no rule decides.
"""
