"""Markdown as lines, while it streams: each block is styled as soon as it is whole, and printed once and for good.

Entry type: `blocks.MarkdownLines`.
"""
