"""Runs cases against paicli and grades what they left behind: workspace and journal, not wording."""
