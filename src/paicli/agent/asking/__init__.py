"""Asking the person in the middle of a turn: what they should know of a call, and the model's own questions.

Entry: `QuestionDesk`, `dangers_of`. Approvals themselves stand in `agent.approval`.
"""
