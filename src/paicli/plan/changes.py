"""What a revision did to the plan that stood."""

from difflib import SequenceMatcher

from paicli.core.plan_view import PlanChanges, PlanView, TaskView

_ALIKE = 0.6
"""From this likeness on, two descriptions are one task reworded and not a removed and an added one."""


def plan_changes(old: PlanView, new: PlanView) -> PlanChanges:
    """Kept: same description, type and dependencies. Changed: one of them differs. Ids as `PlanChanges` says."""
    pairs = _paired(old, new)
    was = {new_id: old.task(old_id) for new_id, old_id in pairs.items()}
    kept = {task.id for task in new.tasks if task.id in was and _is_same(was[task.id], task, pairs)}
    survivors = set(pairs.values())
    return PlanChanges(
        kept=tuple(task.id for task in new.tasks if task.id in kept),
        changed=tuple(task.id for task in new.tasks if task.id in was and task.id not in kept),
        added=tuple(task.id for task in new.tasks if task.id not in was),
        removed=tuple(task.id for task in old.tasks if task.id not in survivors),
    )


def _is_same(before: TaskView, after: TaskView, pairs: dict[str, str]) -> bool:
    needed = {pairs.get(task_id, "") for task_id in after.dependencies}
    return (before.description, before.type, set(before.dependencies)) == (after.description, after.type, needed)


def _paired(old: PlanView, new: PlanView) -> dict[str, str]:
    """New id → old id: equal descriptions first, then the likest of what is left."""
    pairs: dict[str, str] = {}
    left = {task.id: task.description for task in old.tasks}
    for task in new.tasks:
        match = next((old_id for old_id, description in left.items() if description == task.description), None)
        if match is not None:
            pairs[task.id] = match
            del left[match]
    for task in new.tasks:
        if task.id in pairs or not left:
            continue
        likeness = {old_id: _likeness(description, task.description) for old_id, description in left.items()}
        best = max(likeness, key=lambda old_id: likeness[old_id])
        if likeness[best] >= _ALIKE:
            pairs[task.id] = best
            del left[best]
    return pairs


def _likeness(one: str, other: str) -> float:
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return matcher.ratio() if matcher.quick_ratio() >= _ALIKE else 0.0
