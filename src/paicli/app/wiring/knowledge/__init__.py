"""What the model knows before it is asked: the rules, the memory and the skills of a session, and who changes them."""
