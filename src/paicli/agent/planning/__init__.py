"""A plan turn: plan, review, schedule, replan, report; and what each task of the plan is told."""
