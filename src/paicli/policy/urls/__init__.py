"""URLs as they are compared, and where they stand in the person's words. Pure: nothing is looked up or opened.

Entry: `normalise(url)` in `normalise.py`, `urls_in(words)` in `words.py`.
"""
