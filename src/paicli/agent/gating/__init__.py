"""Whether a call may run: guards, the turn's policy, rules, review, the person.

Entry: `CallPermission`, asked by the gate before each call; `TurnPolicies` makes the policy of each turn and task.
"""
