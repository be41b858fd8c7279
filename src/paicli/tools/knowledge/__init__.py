"""The tools about what the model knows: load_skill and save_memory; what they need is declared beside them.

Imports core and `paicli.tools`.
"""
