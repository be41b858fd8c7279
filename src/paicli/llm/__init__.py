"""Talk to a model: one dialect per wire protocol, provider profiles as data, retries, a recorded client.

Entry types: `LlmClient` (protocol) and `build_client`. Imports core only; sole owner of httpx and httpx-sse.
"""

from paicli.llm import httpx_start as httpx_start
