"""Shell texts where no list of wrappers finds them: in the scripts of tools, and in what unknown programs are handed.

Entry: `tool_scripts.shell_texts_in`, `unlisted.hidden_commands` and `unlisted.hidden_texts`. Pure.
"""
