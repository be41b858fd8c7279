"""Words about what outlives a turn: stored sessions, snapshots of the files, memory, skills. Imports core only."""
