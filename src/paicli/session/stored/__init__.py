"""Sessions that lie on disk: found, read back, gone on with, forked, and cleaned away when they are old."""
