from paicli.core.plan_view import PlanStatus, PlanView, TaskStatus, TaskType, TaskView
from paicli.session.stored.mermaid import as_mermaid


def task(name: str, text: str, status: TaskStatus, *needs: str) -> TaskView:
    return TaskView(name, text, TaskType.ANALYSIS, status, needs)


def test_a_plan_is_a_graph_with_the_colours_of_its_statuses() -> None:
    tasks = (
        task("task_1", "读取 a", TaskStatus.COMPLETED),
        task("task_2", 'say "hi"] --> x\n<b>#1', TaskStatus.FAILED, "task_1"),
        task("task_3", "sum", TaskStatus.SKIPPED, "task_1", "task_2"),
    )
    plan = PlanView("p", "goal\n%% x", "s", PlanStatus.FAILED, tasks, ("task_1", "task_2", "task_3"), (), ("task_3",))
    assert as_mermaid(plan).split("\n") == [
        "%% goal %% x",
        "flowchart TD",
        '    t1["task_1: 读取 a"]:::completed',
        '    t2["task_2: say #34;hi#34;#93; --#62; x #60;b#62;#35;1"]:::failed',
        '    t3["task_3: sum"]:::skipped',
        "    t1 --> t2",
        "    t1 --> t3",
        "    t2 --> t3",
        "    classDef completed fill:#d4edda,stroke:#2e7d32,color:#1b3a1f",
        "    classDef failed fill:#f8d7da,stroke:#c62828,color:#5a1216",
        "    classDef skipped fill:#ffffff,stroke:#999999,color:#777777,stroke-dasharray:4",
        "",
    ]
