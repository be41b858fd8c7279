from paicli.agent.budget import AgentBudget, Limits
from paicli.agent.repetition import Repeated, RepetitionGuard, call_key
from paicli.core.messages import ToolCall, ToolOutcome, ToolResult, Usage

OK = ToolResult("ok")


def call(name: str, arguments: str = "{}") -> ToolCall:
    return ToolCall("1", name, arguments)


def notes(guard: RepetitionGuard, *steps: list[tuple[ToolCall, ToolResult]]) -> list[Repeated | None]:
    return [guard.note([c for c, _ in step], [r for _, r in step]) for step in steps]


def test_the_third_equal_call_is_reminded_of_once_whatever_the_order_of_its_keys() -> None:  # C62 (i), (ii)
    guard = RepetitionGuard()
    spellings = ['{"path":"a","limit":1}', '{"limit":1, "path":"a"}'] * 2
    got = notes(guard, *[[(call("read_file", text), OK)] for text in spellings])
    assert got == [None, None, Repeated("call", 'read_file {"limit": 1, "path": "a"}'), None]
    assert guard.exhausted == ""
    notes(guard, [(call("read_file", spellings[0]), OK)])
    assert guard.exhausted == "repetition"


def test_calls_within_one_reply_add_up() -> None:
    assert notes(RepetitionGuard(), [(call("list_dir"), OK)] * 3) == [Repeated("call", "list_dir {}")]


def test_a_key_that_is_absent_from_a_step_starts_again() -> None:
    guard = RepetitionGuard()
    a, b = [(call("a"), OK)], [(call("b"), OK)]
    assert notes(guard, a, a, b, a, a) == [None] * 5


def test_three_errors_of_one_kind_in_a_row_are_reminded_of_though_the_calls_differ() -> None:  # C62 (iii)
    failed = ToolResult("no", outcome=ToolOutcome.FAILED, error_kind="not_found")
    steps = [[(call("read_file", f'{{"path":"{n}"}}'), failed)] for n in range(3)]
    assert notes(RepetitionGuard(), *steps) == [None, None, Repeated("error", "not_found")]


def test_denied_and_cancelled_calls_do_not_count() -> None:
    guard = RepetitionGuard()
    for outcome in (ToolOutcome.DENIED, ToolOutcome.CANCELLED):
        result = ToolResult("no", outcome=outcome, error_kind="permission")
        assert notes(guard, *[[(call("execute_command"), result)]] * 6) == [None] * 6
    assert guard.exhausted == ""


def test_waiting_for_what_goes_on_is_no_repetition() -> None:  # C62 (v)
    guard = RepetitionGuard()
    waits, ended = ToolResult("running", is_waiting=True), ToolResult("ended")
    look = call("command_output", '{"id":"bg_1"}')
    assert notes(guard, *[[(look, waits)]] * 20) == [None] * 20
    assert notes(guard, *[[(look, waits), (call("list_dir"), OK)]] * 2) == [None] * 2
    assert guard.exhausted == ""
    assert notes(guard, *[[(look, ended)]] * 5)[2] == Repeated("call", 'command_output {"id": "bg_1"}')
    assert guard.exhausted == "repetition"


def test_what_is_done_again_and_again_between_waits_is_reminded_of_and_not_stopped() -> None:
    guard = RepetitionGuard()
    step = [(call("command_output"), ToolResult("running", is_waiting=True)), (call("read_file"), OK)]
    assert notes(guard, *[step] * 9) == [None, None, Repeated("call", "read_file {}"), *[None] * 6]
    assert guard.exhausted == ""


def test_a_cycle_of_two_or_three_that_came_five_times_ends_the_tools() -> None:  # C62 (iv)
    for names in ("ab", "abc"):
        guard = RepetitionGuard()
        for number in range(len(names) * 5):
            assert guard.exhausted == ""
            notes(guard, [(call(names[number % len(names)]), OK)])
        assert guard.exhausted == "cycle"


def test_a_step_is_the_same_whatever_the_order_of_its_calls() -> None:
    guard = RepetitionGuard()
    a, b = (call("a"), OK), (call("b"), OK)
    notes(guard, [a, b], [b, a], [a, b], [b, a], [a, b])
    assert guard.exhausted == "repetition"


def test_different_calls_go_on_for_ever() -> None:  # C62 (vi)
    guard = RepetitionGuard()
    assert notes(guard, *[[(call("read_file", f'{{"n":{n}}}'), OK)] for n in range(100)]) == [None] * 100
    assert guard.exhausted == ""


def test_arguments_that_are_no_json_count_as_they_are() -> None:
    assert call_key(call("x", "{'a': 1}")) == "x {'a': 1}"
    assert call_key(call("x", "")) == "x {}"


def test_a_budget_says_why_it_is_spent() -> None:
    assert AgentBudget(Limits()).check() == ""
    by_steps, by_tokens = AgentBudget(Limits(max_steps=2)), AgentBudget(Limits(max_tokens=30))
    for budget in (by_steps, by_tokens):
        budget.note(Usage(input_tokens=10, output_tokens=5))
        assert budget.check() == ""
        budget.note(Usage(input_tokens=10, output_tokens=5))
    assert (by_steps.check(), by_tokens.check(), by_tokens.usage) == (
        "steps",
        "tokens",
        Usage(input_tokens=20, output_tokens=10),
    )
