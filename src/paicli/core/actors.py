"""Who acts, as an event's origin, a request and every record name them; a plan's tasks go by their own ids."""

ENGINE = "engine"
"""The house itself."""
REACT = "react"
"""The agent for plain input, whose conversation lives across turns."""
PLANNER = "planner"
PERSON = "user"
"""Runs a command of their own."""
