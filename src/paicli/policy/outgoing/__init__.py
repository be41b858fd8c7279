"""Which calls in a command reach out of this machine, and for which URLs. Runs and expands nothing.

Entry: `read_outgoing(command)` in `reading.py`. Loaded with the first command.
"""
