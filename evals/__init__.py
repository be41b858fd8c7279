"""Cases that a coding agent is judged by, their graders, and the runner; see README.md."""
