"""How a conversation is made smaller: pure functions over message lists, and the gauge that says when."""
