"""Search services: a small file each with pure functions (a request from a query, hits from an answer), one table.

Entry: `providers.PROVIDERS` (data, cheap to load) and `searcher.WebSearcher` (makes the one HTTP call).
"""
