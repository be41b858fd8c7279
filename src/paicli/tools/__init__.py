"""Act on the world: what a tool is, the registry that finds it, the executor that runs a reply's calls in order.

Entry types: `Tool`, `ToolContext`, `ToolRegistry`, `ToolExecutor`; the tools stand in `builtin/`, one file each.
Imports core, system and policy.
"""
