"""Each rule of a plan, row by row, and what may stand around a plan's JSON."""

import json
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.errors import PlanInvalid
from paicli.core.plan_view import PlanStatus, PlanView, TaskStatus, TaskType, TaskView
from paicli.plan.execution_plan import ExecutionPlan
from paicli.plan.parser import parse_plan, parse_stored_plan
from paicli.plan.stored import plan_for_model, stored_plan
from tests.random_examples import examples

ZH = Texts(Language.ZH)


def parse(text: str) -> ExecutionPlan:
    return parse_plan(text, goal="目标", plan_id="p")


def fault(text: str) -> str:
    with pytest.raises(PlanInvalid) as caught:
        parse(text)
    return ZH.screen(caught.value.code, **caught.value.fields)


def task(task_id: Any = "a", description: Any = "做", **more: Any) -> dict[str, Any]:
    return {"id": task_id, "description": description, **more}


def plan_text(*tasks: Any, **more: Any) -> str:
    return json.dumps({"summary": "概要", "tasks": list(tasks), **more}, ensure_ascii=False)


def test_a_plan_is_read_whole_and_renumbered_in_array_order() -> None:
    text = plan_text(
        task("z", "最后", type="verification", dependencies=["b", "a", "b"]),
        task("a", "读", type="FILE_READ", dependencies=[]),
        task("b", " 写 ", type="File_Write", unknown={"x": [1, 2.5, None]}),
    )
    assert parse(text).view() == PlanView(
        id="p",
        goal="目标",
        summary="概要",
        status=PlanStatus.CREATED,
        tasks=(
            TaskView("task_1", "最后", TaskType.VERIFICATION, TaskStatus.PENDING, ("task_3", "task_2")),
            TaskView("task_2", "读", TaskType.FILE_READ, TaskStatus.PENDING),
            TaskView("task_3", " 写 ", TaskType.FILE_WRITE, TaskStatus.PENDING),
        ),
        order=("task_3", "task_2", "task_1"),
        batches=(("task_3", "task_2"), ("task_1",)),
        leaves=("task_1",),
    )


@pytest.mark.parametrize("stated", ["COOK", "", None, 3, ["COMMAND"], " COMMAND "])
def test_an_unknown_type_reads_as_analysis(stated: Any) -> None:
    assert parse(plan_text(task(type=stated))).task("task_1").view.type is TaskType.ANALYSIS


@pytest.mark.parametrize("summary", [None, 5, ["x"]])
def test_a_summary_that_is_no_text_reads_as_none(summary: Any) -> None:
    assert parse(plan_text(task(), summary=summary)).summary == ""


PLAIN = plan_text(task())


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + PLAIN,
        " \n\ufeff\t" + PLAIN + "\r\n ",
        "```json\n" + PLAIN + "\n```",
        "```\n" + PLAIN + "\n```\n",
        "```JSON\r\n" + PLAIN + "\r\n```",
        "```json" + PLAIN + "```",
        "\ufeff\n```json\n\n" + PLAIN + "\n\n```  \n",
        '<think>{"tasks": []} ```json</think>\n' + PLAIN,
        "\ufeff <think></think>```json\n" + PLAIN + "\n```",
    ],
)
def test_bom_white_space_think_and_one_fence_are_taken_off(text: str) -> None:  # C57 ii, vi
    assert parse(text).view() == parse(PLAIN).view()


def test_nothing_inside_values_is_touched() -> None:  # C57 iii
    description = 'print ",}" and ``` then <think>x</think> \ufeff\n```json\n{"a": 1,}'
    for text in (plan_text(task(description=description)), f"```json\n{plan_text(task(description=description))}\n```"):
        assert parse(text).task("task_1").view.description == description


@pytest.mark.parametrize(
    "text",
    ["", " \n\t", "\ufeff", "<think>only thought</think>", "```json\n```", "```\n\n```", "<think></think>```\n```"],
)
def test_an_empty_reply_is_named(text: str) -> None:
    assert fault(text) == "计划必须包含非空 JSON 对象"


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Plan for {project}:\n```json\n{}\n```\nDone {ok}.", "第 1 行第 1 列,Expecting value"),  # C57 i
        ('Here: {"tasks":[]}\n' + PLAIN, "第 1 行第 1 列,Expecting value"),  # C57 iv
        ('{"tasks":[]}\n' + PLAIN, "第 2 行第 1 列,JSON 之后还有其他内容"),
        (PLAIN + "\n" + PLAIN, "第 2 行第 1 列,JSON 之后还有其他内容"),
        (PLAIN + " 完成", f"第 1 行第 {len(PLAIN) + 2} 列,JSON 之后还有其他内容"),
        (PLAIN[:-4], f"第 1 行第 {len(PLAIN) - 5} 列,Unterminated string starting at"),  # C57 v
        ('{"tasks": // all\n []}', "第 1 行第 11 列,Expecting value"),  # C57 vii
        ("{'tasks': []}", "第 1 行第 2 列,Expecting property name enclosed in double quotes"),
        ('{"tasks": "a\nb"}', "第 1 行第 13 列,Invalid control character at"),
        ("<think>never closed " + PLAIN, "第 1 行第 1 列,Expecting value"),
        ("```json\n" + PLAIN, f"第 2 行第 {len(PLAIN) + 1} 列,代码围栏没有结束"),
        ("```json\n{}", "第 2 行第 3 列,代码围栏没有结束"),
        ("```json\n```\nDone", "第 2 行第 1 列,Expecting value"),
        ("```json\n" + PLAIN + "\n```\nDone", "第 4 行第 1 列,JSON 之后还有其他内容"),
        ("```json\n" + PLAIN + "\n```\n```\n{}\n```", "第 4 行第 1 列,JSON 之后还有其他内容"),
        ("```python\n" + PLAIN + "\n```", "第 1 行第 1 列,Expecting value"),
        ("```json\n" + PLAIN + "\nDone\n```", "第 3 行第 1 列,JSON 之后还有其他内容"),
        ('{"a": NaN}', "第 1 行第 7 列,NaN 不是合法的数值"),
        ('{"b": "NaN",\n"a": [1, -Infinity]}', "第 2 行第 10 列,-Infinity 不是合法的数值"),
        ("Infinity", "第 1 行第 1 列,Infinity 不是合法的数值"),
        ('{"tasks": [],\n "tasks": []}', '第 2 行第 2 列,重复的键 "tasks"'),
        ('{"x": {"k": {"k": 1}, "k": [{"k": 2}]}}', '第 1 行第 23 列,重复的键 "k"'),
        ('{"x": "\\"k\\": ", "y": 1, "\\u0079": 2}', '第 1 行第 26 列,重复的键 "\\u0079"'),
        ('{"k\ud800": 1,\n "k\ud800": 1}', '第 2 行第 2 列,重复的键 "k\ufffd"'),
        ('\ufeff{"k": 1, "k": 1}', '第 1 行第 10 列,重复的键 "k"'),
    ],
)
def test_what_is_no_json_is_refused_with_its_position(text: str, place: str) -> None:
    assert fault(text) == f"计划不是合法的 JSON:{place}"


@pytest.mark.parametrize("text", ['{"tasks": [\n  {"id": "a",}\n]}', '{"tasks": [\n{"id": "a"},]}', '{"tasks":\n [],}'])
def test_a_trailing_comma_is_not_mended(text: str) -> None:  # C57 i
    assert fault(text).startswith("计划不是合法的 JSON:第 2 行第 ")


@pytest.mark.parametrize("opening", ["[", '{"a":', '{"tasks":[['])
def test_deep_nesting_is_refused_and_not_a_crash(opening: str) -> None:  # C58
    message = fault(opening * 100_000)
    assert message.startswith("计划不是合法的 JSON:第 1 行第 ")
    assert message.endswith("嵌套过深")


def test_a_number_of_many_digits_is_no_reason_to_refuse() -> None:
    digits = "9" * (sys.get_int_max_str_digits() + 1)
    assert parse(PLAIN[:-1] + f', "n": {digits}}}').view() == parse(PLAIN).view()


def test_lone_surrogates_become_replacement_characters() -> None:
    text = '{"summary": "\\udc00", "tasks": [{"id": "\\ud83d", "description": "x\\ud800y\\ud83d\\ude00"}]}'
    plan = parse(text)
    assert (plan.summary, plan.task("task_1").view.description) == ("\ufffd", "x\ufffdy😀")
    assert parse(PLAIN.replace("做", "a\ud800")).task("task_1").view.description == "a\ufffd"


@pytest.mark.parametrize("text", ["[]", "[1]", '"x"', "1", "null", "true", "```json\n[{}]\n```", f"[{PLAIN}]"])
def test_the_plan_must_be_an_object(text: str) -> None:  # C57 vii
    assert fault(text) == "计划必须是 JSON 对象"


@pytest.mark.parametrize("text", ["{}", '{"tasks": null}', '{"tasks": {}}', '{"tasks": []}', '{"steps": [1]}'])
def test_tasks_must_be_a_non_empty_array(text: str) -> None:
    assert fault(text) == "计划 tasks 必须是非空数组"


@pytest.mark.parametrize("broken", [None, "a", 1, [], {}, task(""), task(" \u3000"), task(1), task(None), task(["a"])])
def test_each_task_needs_a_text_id(broken: Any) -> None:
    assert fault(plan_text(task("ok"), broken)) == "计划任务必须具有非空字符串 id"


def test_a_repeated_id_is_named() -> None:
    assert fault(plan_text(task("t1"), task("t2"), task("t1"))) == "计划中存在重复任务 id: t1"


@pytest.mark.parametrize("description", ["", "  \n", None, 3, ["x"]])
def test_each_task_needs_a_description(description: Any) -> None:
    assert fault(plan_text(task("a"), task("t2", description))) == "计划任务 t2 必须具有非空描述"
    assert fault(plan_text(task("a"), {"id": "t2"})) == "计划任务 t2 必须具有非空描述"


@pytest.mark.parametrize("dependencies", [None, "a", 1, {}, True])
def test_dependencies_must_be_an_array(dependencies: Any) -> None:
    assert fault(plan_text(task("a"), task("b", dependencies=dependencies))) == "计划 dependencies 必须是任务 id 数组"


@pytest.mark.parametrize(
    ("dependency", "shown"),
    [("t9", "t9"), (None, "null"), (1, "1"), (["a"], '["a"]'), ("", ""), ("A", "A"), ("a ", "a ")],
)
def test_a_dependency_must_name_a_declared_id(dependency: Any, shown: str) -> None:
    message = fault(plan_text(task("a"), task("b", dependencies=["a", dependency])))
    assert message == f"计划依赖必须引用已声明的任务 id: b → {shown}"


@pytest.mark.parametrize(
    ("edges", "path"),
    [
        ({"a": ["a"]}, "a → a"),
        ({"a": ["b"], "b": ["a"]}, "a → b → a"),
        ({"x": [], "a": ["x", "b"], "b": ["c"], "c": ["x", "a"]}, "a → b → c → a"),
        ({"x": ["y"], "y": [], "b": ["c", "x"], "c": ["b"], "d": ["d"]}, "b → c → b"),
        ({"top": ["a"], "a": ["b"], "b": ["a"]}, "a → b → a"),
    ],
)
def test_a_cycle_is_shown_as_its_path(edges: dict[str, list[str]], path: str) -> None:  # C58
    text = plan_text(*(task(name, dependencies=needed) for name, needed in edges.items()))
    assert fault(text) == f"计划中存在循环依赖: {path}"


def test_fifty_tasks_pass_and_fifty_one_do_not() -> None:
    assert len(parse(plan_text(*(task(f"t{n}") for n in range(50)))).tasks) == 50
    assert fault(plan_text(*(task(f"t{n}") for n in range(51)))) == "计划任务过多"


def chain(length: int, *, closed: bool = False) -> str:
    first = [f"t{length - 1}"] if closed else []
    return plan_text(*(task(f"t{n}", dependencies=[f"t{n - 1}"] if n else first) for n in range(length)))


def test_a_chain_as_long_as_a_plan_may_be_is_no_recursion_problem() -> None:
    plan = parse(chain(50))
    assert plan.batches() == tuple((f"task_{n}",) for n in range(1, 51))
    assert len(plan.downstream("task_1")) == 49


@pytest.mark.parametrize("length", [2_000, 5_000])
def test_huge_plans_are_refused_without_a_crash(length: int) -> None:  # C58
    assert fault(chain(length)) == "计划任务过多"
    assert fault(chain(length, closed=True)).startswith("计划中存在循环依赖: t0 → ")


LADDER: list[tuple[str, str]] = [
    ("", "计划必须包含非空 JSON 对象"),
    ("[", "计划不是合法的 JSON:第 1 行第 2 列,Expecting value"),
    ("[]", "计划必须是 JSON 对象"),
    ('{"tasks": 1}', "计划 tasks 必须是非空数组"),
    (plan_text({}, task("b"), task("b"), {"id": "c"}), "计划任务必须具有非空字符串 id"),
    (plan_text({"id": "c"}, task("b", dependencies=1), task("b")), "计划中存在重复任务 id: b"),
    (plan_text(task("b", dependencies=1), {"id": "c"}), "计划任务 c 必须具有非空描述"),
    (plan_text(task("a", dependencies=["x"]), task("b", dependencies=1)), "计划 dependencies 必须是任务 id 数组"),
    (plan_text(task("b", dependencies=["b"]), task("a", dependencies=["x"])), "计划依赖必须引用已声明的任务 id: a → x"),
    (plan_text(task("b", dependencies=["b"]), *(task(f"t{n}") for n in range(60))), "计划中存在循环依赖: b → b"),
]


@pytest.mark.parametrize(("text", "message"), LADDER)
def test_of_several_faults_the_first_row_wins(text: str, message: str) -> None:
    assert fault(text) == message


def test_a_stored_plan_comes_back_as_it_was() -> None:
    plan = parse(plan_text(task("x", "写 “a”\n", type="COMMAND"), task("y", "b", dependencies=["x"])))
    assert parse_stored_plan(stored_plan(plan.view()), plan_id="p").view() == plan.view()
    assert parse(plan_for_model(plan.view())).view() == plan.view()
    assert json.loads(stored_plan(plan.view())) == {
        "goal": "目标",
        "summary": "概要",
        "tasks": [
            {"id": "task_1", "description": "写 “a”\n", "type": "COMMAND", "dependencies": []},
            {"id": "task_2", "description": "b", "type": "ANALYSIS", "dependencies": ["task_1"]},
        ],
    }


@pytest.mark.parametrize("goal", [None, "", " ", 5])
def test_a_stored_plan_needs_its_goal(goal: Any) -> None:
    with pytest.raises(PlanInvalid) as caught:
        parse_stored_plan(plan_text(task(), goal=goal), plan_id="p")
    assert caught.value.code == "plan.invalid.file_goal"


def test_a_stored_plan_is_held_to_the_same_rules() -> None:
    with pytest.raises(PlanInvalid) as caught:
        parse_stored_plan(plan_text(task("a", dependencies=["a"]), goal="g"), plan_id="p")
    assert (caught.value.code, caught.value.fields) == ("plan.invalid.cycle", {"path": "a → a"})


def come_to(*tasks: dict[str, Any]) -> ExecutionPlan:
    return parse_stored_plan(plan_text(*tasks, goal="目标"), plan_id="p")


def test_a_stored_plan_may_say_how_far_its_tasks_came() -> None:
    plan = come_to(
        task("a", status="COMPLETED", result="读到 \ud83d", partial=True),
        task("b", status="COMPLETED", result="", dependencies=["a"]),
        task("c", status="RUNNING", dependencies=["a"]),
        task("d", status="FAILED", result="x", dependencies=["c"]),
        task("e", status="whatever", result=5),
    )
    assert [(each.status.value, each.view.result, each.view.is_partial) for each in plan.tasks] == [
        ("COMPLETED", "读到 \ufffd", True),
        ("COMPLETED", "", False),
        ("PENDING", "", False),
        ("PENDING", "", False),
        ("PENDING", "", False),
    ]
    assert [each.view.was_interrupted for each in plan.tasks] == [False, False, True, False, False]
    assert [each.id for each in plan.ready()] == ["task_3", "task_5"]
    assert parse_stored_plan(stored_plan(plan.view()), plan_id="p").view() == plan.view()


@pytest.mark.parametrize(
    ("tasks", "code", "fields"),
    [
        ([task("a", status="COMPLETED")], "plan.invalid.file_result", {"id": "task_1"}),
        ([task("a", status="COMPLETED", result=["x"])], "plan.invalid.file_result", {"id": "task_1"}),
        (
            [task("a", status="RUNNING"), task("b", status="COMPLETED", result="x", dependencies=["a"])],
            "plan.invalid.file_order",
            {"id": "task_2", "dependency": "task_1"},
        ),
    ],
)
def test_a_stored_plan_that_can_not_have_come_so_far_is_refused(
    tasks: list[dict[str, Any]], code: str, fields: dict[str, str]
) -> None:
    with pytest.raises(PlanInvalid) as caught:
        come_to(*tasks)
    assert (caught.value.code, caught.value.fields) == (code, fields)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "tasks", "x"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@examples(150)
@given(
    st.one_of(
        st.text(max_size=60),
        st.text(alphabet='{}[]":,\\ntasksid`\ufeff<>/ -NaInfy1', max_size=60),
        JSON_VALUES.map(json.dumps),
        st.lists(JSON_VALUES, max_size=3).map(lambda tasks: json.dumps({"tasks": tasks})),
    )
)
def test_any_text_is_a_plan_or_a_worded_fault(text: str) -> None:
    invalid: PlanInvalid | None = None
    ids: list[str] = []
    try:
        ids = [each.id for each in parse(text).tasks]
    except PlanInvalid as error:
        invalid = error
    if invalid is None:
        assert ids == [f"task_{n}" for n in range(1, len(ids) + 1)]
        assert ids
    else:
        assert all(Texts(language).screen(invalid.code, **invalid.fields) for language in Language)


@examples(60)
@given(st.data())
def test_a_text_cut_anywhere_is_never_half_a_plan(data: st.DataObject) -> None:  # C57 v
    text = plan_text(task("a", "x } ] ```"), task("b", 'y "', dependencies=["a"]))
    cut = data.draw(st.integers(0, len(text) - 1))
    with pytest.raises(PlanInvalid):
        parse(text[:cut])
