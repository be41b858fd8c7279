"""Turns without a person: what comes in by a pipe, what goes out on stdout, and who answers meanwhile.

Entry: `print_mode.run_unattended`.
"""
