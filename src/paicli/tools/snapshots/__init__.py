"""The tool that puts files back."""
