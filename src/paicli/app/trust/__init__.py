"""Trust of a folder: what it brings, what the person said of exactly that, and what may be used of it.

Entry: `decision.decide_trust`; whoever uses something of the folder asks `project_trust.ProjectTrust` first.
"""
