"""Decide and act: the tool loop, the gate before each tool, ReActAgent, PlanExecuteAgent, and the Engine above them.

Entry type: `Engine` (ops in, events out). Imports every room but ui and app; sole owner of the engine thread.
"""
