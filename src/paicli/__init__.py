"""paicli: an interactive coding agent for the terminal that plans before it acts."""
