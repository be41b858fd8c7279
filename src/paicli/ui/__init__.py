"""The terminal: line mode, the interactive session, plan review, approval, rendering of events.

Entry types: `LineSession`, `TerminalSession`. Knows the engine only by ops and events. Imports core only; sole owner of
pygments, prompt_toolkit and stdout.
"""
