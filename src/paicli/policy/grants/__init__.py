"""What an approval rule means exactly: which prefix is proposed, what no prefix covers, and which URLs a pattern names.

Entry: `proposals.prefix_length`, `limits.goes_beyond`, `urls.UrlPattern`. Pure; imports core and its own room.
"""
