"""The figures of paicli: one script each, measured beside a floor in the same run."""
