"""A module each: `register(commands)` adds its parser, whose `run` does it and returns the exit status."""
