"""Where a request of paicli's own may go: pure decisions on a URL and on each address its host resolves to.

Entry: `guard.NetworkGuard`. Nothing here asks the network; who connects asks here, and connects to what was asked.
"""
