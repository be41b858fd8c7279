"""What a shell text would run, read without running it: simple commands, their words, and what wraps them.

Entry: `parse(text)` in `script.py`. Pure: no disk, no environment; what only a running shell knows is marked unknown.
"""
