"""Think ahead: tasks and their graph, the parser of a model's plan, the Planner, the round-based TaskScheduler.

Entry types: `ExecutionPlan`, `parse_plan`, `Planner`, `TaskScheduler`. Imports core, system, llm and context;
sole owner of networkx and of the task pool.
"""
