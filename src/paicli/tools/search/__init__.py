"""Finding files and lines: the walk that honours .gitignore, glob patterns, ripgrep and a search of our own."""
