"""A node of an ExecutionPlan and the few moves its status may make."""
