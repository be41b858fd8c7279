from paicli.core.plan_view import PlanChanges, PlanView
from paicli.plan.changes import plan_changes
from paicli.plan.parser import parse_plan
from paicli.plan.stored import plan_for_model
from tests.plan.bench import plan_of


def view_of(*tasks: tuple[str, str, list[int]]) -> PlanView:
    """(description, type, numbers of its dependencies)"""
    stated = ", ".join(
        f'{{"id": "{number}", "description": "{description}", "type": "{kind}", "dependencies": {quoted(needed)}}}'
        for number, (description, kind, needed) in enumerate(tasks, start=1)
    )
    return parse_plan(f'{{"tasks": [{stated}]}}', goal="g", plan_id="p").view()


def quoted(numbers: list[int]) -> str:
    return "[" + ", ".join(f'"{number}"' for number in numbers) + "]"


OLD = view_of(
    ("读取配置文件并列出键", "FILE_READ", []), ("运行测试", "COMMAND", [1]), ("写一份英文的报告文件", "FILE_WRITE", [2])
)


def test_the_same_plan_is_kept_whole() -> None:
    assert plan_changes(OLD, OLD) == PlanChanges(kept=("task_1", "task_2", "task_3"))


def test_new_ids_alone_are_no_change() -> None:
    new = view_of(("检查网络", "COMMAND", []), *((d, t, [n + 1 for n in needed]) for d, t, needed in tasks(OLD)))
    assert plan_changes(OLD, new) == PlanChanges(kept=("task_2", "task_3", "task_4"), added=("task_1",))


def tasks(view: PlanView) -> list[tuple[str, str, list[int]]]:
    return [
        (task.description, task.type.value, [int(needed.removeprefix("task_")) for needed in task.dependencies])
        for task in view.tasks
    ]


def test_a_removed_task_is_named_by_its_old_id_and_its_heirs_are_changed() -> None:
    new = view_of(("读取配置文件并列出键", "FILE_READ", []), ("写一份英文的报告文件", "FILE_WRITE", [1]))
    assert plan_changes(OLD, new) == PlanChanges(kept=("task_1",), changed=("task_2",), removed=("task_2",))


def test_another_type_or_wording_is_a_change() -> None:
    new = view_of(
        ("读取配置文件并列出键", "ANALYSIS", []),
        ("运行测试", "COMMAND", [1]),
        ("写一份中文的报告文件", "FILE_WRITE", [2]),
    )
    assert plan_changes(OLD, new) == PlanChanges(kept=("task_2",), changed=("task_1", "task_3"))


def test_what_is_nothing_like_it_is_removed_and_added() -> None:
    new = view_of(("读取配置文件并列出键", "FILE_READ", []), ("运行测试", "COMMAND", [1]), ("部署", "COMMAND", [2]))
    assert plan_changes(OLD, new) == PlanChanges(kept=("task_1", "task_2"), added=("task_3",), removed=("task_3",))


def test_equal_descriptions_are_paired_one_to_one() -> None:
    old = view_of(("重试", "COMMAND", []), ("重试", "COMMAND", [1]))
    new = view_of(("重试", "COMMAND", []))
    assert plan_changes(old, new) == PlanChanges(kept=("task_1",), removed=("task_2",))


def test_the_plan_the_model_shall_change_is_one_it_could_have_written() -> None:
    view = plan_of({1: [], 2: [1]}).view()
    assert parse_plan(plan_for_model(view), goal=view.goal, plan_id=view.id).view() == view
