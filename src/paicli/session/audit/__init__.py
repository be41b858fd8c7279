"""The record of what was done: one line for each tool call that changed something or sent something out."""
