"""The parts of the live terminal session: printing above the prompt, keys, panels, status bar, history, pastes.

`paicli.ui.terminal.TerminalSession` puts them together; the only modules that import prompt_toolkit.
"""
