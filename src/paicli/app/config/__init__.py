"""Configuration: from the command line, the environment and config.toml to one Settings value.

Entry: `resolution.resolve_settings`.
"""
