"""Wires what confines and records the work of a session: the sandbox around commands, the audit."""
