"""The web, carefully: one HTTP exchange whose every address was checked, its body within limits, its page as text.

Entry: `pages.PageReader`, `search.searcher.WebSearcher`. Loaded with the first call that needs it.
"""
