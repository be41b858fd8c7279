"""What is shown, apart from where: events as styled lines, panels as lines, and the painter that writes them out.

Entry types: `EventRenderer`, `TaskOrder`, `Painter`. Knows no terminal.
"""
