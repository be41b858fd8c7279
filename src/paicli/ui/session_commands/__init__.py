"""What the session's commands answer: one module per subject, each function (context, argument) → lines.

`paicli.ui.commands` lists them. They ask by `SessionQueries`, change by ops, and know no terminal.
"""
