"""A plan as a Mermaid graph: tasks as nodes with the colour of their status, dependencies as arrows."""

from paicli.core.plan_view import PlanView, TaskStatus, TaskView

_CLASSES = {
    TaskStatus.PENDING: "fill:#eeeeee,stroke:#999999,color:#333333",
    TaskStatus.RUNNING: "fill:#fff3cd,stroke:#b58900,color:#333333",
    TaskStatus.COMPLETED: "fill:#d4edda,stroke:#2e7d32,color:#1b3a1f",
    TaskStatus.FAILED: "fill:#f8d7da,stroke:#c62828,color:#5a1216",
    TaskStatus.SKIPPED: "fill:#ffffff,stroke:#999999,color:#777777,stroke-dasharray:4",
}
_LABEL_CHARACTERS = 80


def as_mermaid(plan: PlanView) -> str:
    """Text of a `.mmd` file. Ids and descriptions are data: nothing in them can become syntax."""
    names = {task.id: f"t{number}" for number, task in enumerate(plan.tasks, 1)}
    used = sorted({task.status for task in plan.tasks})
    return "\n".join(
        (
            f"%% {_plain(plan.goal)}",
            "flowchart TD",
            *(f'    {names[task.id]}["{_label(task)}"]:::{task.status.value.lower()}' for task in plan.tasks),
            *(
                f"    {names[before]} --> {names[task.id]}"
                for task in plan.tasks
                for before in task.dependencies
                if before in names
            ),
            *(f"    classDef {status.value.lower()} {_CLASSES[status]}" for status in used),
            "",
        )
    )


def _label(task: TaskView) -> str:
    return f"{_escaped(task.id)}: {_escaped(_plain(task.description))}"


def _plain(text: str) -> str:
    shown = " ".join("".join(character if character.isprintable() else " " for character in text).split())
    return shown if len(shown) <= _LABEL_CHARACTERS else f"{shown[: _LABEL_CHARACTERS - 1]}…"


def _escaped(text: str) -> str:
    """Everything that Markdown, HTML or Mermaid reads as more than itself, by its number."""
    return "".join(
        character if character.isalnum() or character in " ,.-_…()/:+" else f"#{ord(character)};" for character in text
    )
