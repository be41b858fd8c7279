"""Programs of the person's machine that paicli uses itself: git to read, the clipboard, the editor."""
