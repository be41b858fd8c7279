"""Where the live rows stand on the terminal: drawn, printed above, shrunk, and found again after it folded them."""
