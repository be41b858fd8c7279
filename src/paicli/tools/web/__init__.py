"""The web, carefully: one HTTP exchange whose every address was checked, its body within limits, its page as text.

Entry: `fetching.WebClient` for pages, `searching.WebSearcher` for searches. Loaded with the first call that needs it.
"""
