"""The model of a session: chosen, switched, recorded."""
