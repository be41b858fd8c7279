"""The tool loop's side of compaction: when it is done, what it may cost, and what is told of it."""
