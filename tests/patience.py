"""How long a test waits for what has to come."""

PATIENCE_S = 60.0
"""More than a slow machine takes; half of `timeout` in pyproject.toml, so that the test can say what did not come."""
