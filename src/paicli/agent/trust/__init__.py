"""The turn's policy in the agent's hands: built from the person's words, told by events, one fork per plan task.

Entry: `TurnPolicies` in `policies.py`.
"""
