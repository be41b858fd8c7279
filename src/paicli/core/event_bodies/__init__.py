"""What passes between the engine and the person beside turns and plans: questions, and going back.

Entry: `events`. Imports only `core`.
"""
