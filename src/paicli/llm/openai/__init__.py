"""The OpenAI-compatible dialect: a request as bytes, a stream as a reply, and the client that exchanges them.

Entry type: `OpenAiClient`. Imports core and what the dialects share in `paicli.llm`.
"""
