"""paicli inside Harbor's tasks (Terminal-Bench): what is said to the container, what is read back, and the agent."""
