"""What the person's words forbid: phrase tables in Chinese and English, and what is no order in them.

Entry: `restrictions_in(words)` in `restriction.py`. Pure; the tables are loaded with the first words that may matter.
"""
