"""Settings of shops."""
