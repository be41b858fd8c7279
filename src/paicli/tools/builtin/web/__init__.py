"""The two tools that go to the web; how a page or a search is fetched stands in `tools.web`."""
