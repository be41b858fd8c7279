"""Conversations with a model as files: recorded while they happen, and answered from later without network or key.

Entry types: RecordingClient (writes), RecordedClient (answers). Imports core and llm only.
"""
