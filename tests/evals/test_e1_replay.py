import ast
import copy
import importlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from evals.e1_replay import Unjudgeable, check, main, read_journal

from evals import e1_replay
from paicli.core.errors import PlanInvalid
from paicli.plan.parser import parse_plan
from tests.e2e.harness import by_actor, last_message, plan_json, run_paicli
from tests.e2e.obeying import WEB_PLAN, in_web_plan, searchable, web_settings
from tests.evals.lies import MUTATIONS as LIES
from tests.evals.resumed import CUTS as RESUMED
from tests.evals.resumed import MUTATIONS as RESUMED_MUTATIONS
from tests.evals.resumed import resumed_journals
from tests.fakes.openai_server import OpenAiServer, RecordedRequest, Reply, calls, say, status
from tests.fakes.web_site import WebSite
from tests.fakes.web_site import answer as page

Records = list[dict[str, Any]]

pytestmark = pytest.mark.timeout(600)  # the first test waits for a dozen sessions of the installed paicli

JOINED = plan_json(*[(name, name, ()) for name in "甲乙丙丁"], ("e", "戊", tuple("甲乙丙丁")))
WIDE = plan_json(*[(str(n), f"任务{n}", ()) for n in range(6)], ("end", "汇总", ("0", "5")))
HALF = plan_json(
    ("a", "甲", ()),
    ("b", "乙", ()),
    ("f", "己", ()),
    ("c", "丙 fail", ("a", "b")),
    ("d", "丁", ("c",)),
    ("e", "戊", ("a",)),
)
EARLY = plan_json(("a", "甲", ()), ("b", "乙 fail", ()), ("c", "丙", ("b",)), ("d", "丁", ("c",)))
REST = plan_json(("x", "乙另做", ()), ("y", "丙", ("x",)))
TWICE = [EARLY, plan_json(("x", "又 fail", ()), ("y", "丙", ("x",))), REST]


def answer(description: str, request: RecordedRequest) -> Reply:
    if "fail" in description:
        return status(400, {"error": {"message": "no"}})
    if description == "甲" and last_message(request)["role"] == "user":
        return calls(
            ("read_file", {"path": "a.txt"}), ("list_dir", {}), ("write_file", {"path": "b.txt", "content": "x"})
        )
    return say(f"{description}的结果")


SCENARIOS: dict[str, tuple[list[str], str, dict[str, str]]] = {
    "joined": ([JOINED], "/plan 目标\n\n/exit\n", {}),
    "wide": ([WIDE], "/plan 目标\n\n/exit\n", {}),
    "half": ([HALF], "/plan 目标\n\n/exit\n", {}),
    "replanned": ([EARLY, REST], "/plan 目标\n\n\n/exit\n", {}),
    "replanned twice": (TWICE, "/plan 目标\n\n\n\n/exit\n", {}),
    "limit": ([EARLY], "/plan 目标\n\n/exit\n", {"PAICLI_PLAN_MAX_REPLANS": "0"}),
    "refused": ([JOINED], "/plan 目标\ncancel\n/exit\n", {}),
    "revised": ([EARLY, REST], "/plan 目标\n改一下\n\n/exit\n", {}),
    "invalid": (["no json"], "/plan 目标\n/exit\n", {}),
    "revision refused": ([EARLY, "no json", REST], "/plan 目标\n改一下\n\n\n/exit\n", {}),
}

WEB_SCENARIOS = ("web", "typed")


@pytest.fixture(scope="module")
def journals(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Records]:
    return made_journals(tmp_path_factory.mktemp)


def made_journals(new_folder: Callable[[str], Path]) -> dict[str, Records]:
    """Scenario → the journal that the installed paicli wrote of it."""
    made: dict[str, Records] = {}
    for name, (plans, stdin, extra) in SCENARIOS.items():
        folder = new_folder("journal")
        project, home = folder / "project", folder / "home"
        project.mkdir()
        home.mkdir()
        (project / "a.txt").write_text("text\n")
        with OpenAiServer(by_actor(plans=plans, tasks=answer)) as server:
            run_paicli(project=project, home=home, server=server, stdin=stdin, **extra)
        made[name] = read_journal(journal_below(home).read_text(encoding="utf-8"))
    made |= resumed_journals(new_folder("resumed"))
    for name in WEB_SCENARIOS:
        made[name] = web_journal(new_folder("web"), typed="/typed" if name == "typed" else "")
    return made


def journal_below(home: Path) -> Path:
    (path,) = home.rglob("sessions/*/*.jsonl")
    return path


def web_journal(folder: Path, *, typed: str) -> Records:
    """A plan whose first task searches; with `typed` the goal names a page that another task fetches."""
    project, home = folder / "project", folder / "home"
    project.mkdir()
    with WebSite({"/typed": page(b"typed")}) as site:
        searchable(site, "http://127.0.0.1:9/evil")
        web_settings(home, site)
        url = site.url(typed) if typed else ""
        with OpenAiServer(by_actor(plans=[WEB_PLAN], tasks=in_web_plan(site, url))) as server:
            run_paicli(project=project, home=home, server=server, stdin=f"/plan 目标 {url}\n\n/exit\n")
    return read_journal(journal_below(home).read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", [*SCENARIOS, *WEB_SCENARIOS, *RESUMED])
def test_no_good_journal_is_blamed(journals: dict[str, Records], name: str) -> None:
    assert check(journals[name]) == []


def of(records: Records, *kinds: str) -> list[dict[str, Any]]:
    return [record for record in records if record["type"] in kinds]


def set_in(record: dict[str, Any], key: str, value: Any) -> None:
    record[key] = value


def swap(records: Records, one: dict[str, Any], other: dict[str, Any]) -> None:
    """Exchanges two events in time: each gets the other's number and place."""
    first, second = records.index(one), records.index(other)
    one["seq"], other["seq"] = other["seq"], one["seq"]
    records[first], records[second] = other, one


def rounds_of(records: Records) -> list[dict[str, Any]]:
    return of(records, "round_started")


def first_user(records: Records) -> list[dict[str, Any]]:
    return [r for r in of(records, "message_appended") if r.get("task_id") and r["message"]["type"] == "user_message"]


def move_before(records: Records, moved: dict[str, Any], place: dict[str, Any]) -> None:
    records.remove(moved)
    records.insert(records.index(place), moved)
    for number, record in enumerate(records, 1):
        record["seq"] = number


Mutation = Callable[[Records], object]

# rule → mutations that break it; one that finds nothing to break in a journal raises IndexError or KeyError
_MUTATIONS: dict[str, list[Mutation]] = {
    "url.fetched": [
        lambda r: set_in(fetch(r, "task_3"), "arguments", '{"url": "https://evil.example"}'),
        lambda r: set_in(fetch(r, "task_3"), "arguments", '{"url": "http://127.0.0.1:9/evil"}'),
        lambda r: set_in(answered(r, "task_2", "denied"), "outcome", "ok"),
        lambda r: set_in(answered(r, "task_2", "denied"), "outcome", "failed"),
        lambda r: r.remove(requests_of(r if of(r, "url_trusted") else [], "task_1")[1]),
        lambda r: needs(r, 2).clear() if of(r, "url_trusted") else r[10_000],
        lambda r: set_in(typed_goal(r), "text", "目标"),
        lambda r: set_in(answered(r, "task_1", "ok", "web_search"), "content", "nothing"),
    ],
    "url.user": [
        lambda r: set_in(trusted(r, "user"), "url", "https://evil.example"),
        lambda r: set_in(typed_goal(r), "text", "目标"),
        lambda r: set_in(trusted(r, "web_search"), "source", "user"),
        lambda r: set_in(trusted(r, "dependency"), "source", "user"),
    ],
    "url.found": [
        lambda r: set_in(trusted(r, "web_search"), "url", "http://127.0.0.1:9/evil"),
        lambda r: set_in(answered(r, "task_1", "ok", "web_search"), "content", "nothing"),
        lambda r: set_in(trusted(r, "dependency"), "source", "web_search"),
        lambda r: set_in(trusted(r, "web_search"), "task_id", "task_2"),
    ],
    "url.dependency": [
        lambda r: set_in(trusted(r, "dependency"), "url", "http://127.0.0.1:9/evil"),
        lambda r: set_in(trusted(r, "dependency"), "task_id", "task_5"),
        lambda r: set_in(trusted(r, "web_search"), "source", "dependency"),
        lambda r: needs(r, 2).clear() if of(r, "url_trusted") else r[10_000],
    ],
    "url.offered": [
        lambda r: requests_of(untyped(r), "task_2")[0]["tool_names"].append("web_fetch"),
        lambda r: requests_of(untyped(r), "task_5")[0]["tool_names"].append("web_fetch"),
        lambda r: requests_of(untyped(r), "task_1")[0]["tool_names"].append("web_fetch"),
        lambda r: set_in(answered(untyped(r), "task_1", "ok", "web_search"), "content", "nothing"),
    ],
    "seq": [
        lambda r: set_in(r[3], "seq", r[2]["seq"]),
        lambda r: set_in(r[-1], "seq", 1),
        lambda r: set_in(r[5], "seq", r[5]["seq"] + 10_000),
    ],
    "plan.numbering": [
        lambda r: set_in(of(r, "plan_created")[0]["view"]["tasks"][0], "id", "first"),
        lambda r: of(r, "plan_created")[-1]["view"]["tasks"].reverse(),
        lambda r: set_in(of(r, "plan_created")[0]["view"], "tasks", []),
    ],
    "plan.valid": [
        lambda r: set_in(of(r, "plan_created")[0]["view"]["tasks"][1], "description", "  "),
        lambda r: set_in(of(r, "plan_created")[0]["view"]["tasks"][1], "type", "DREAM"),
        lambda r: of(r, "plan_created")[0]["view"]["tasks"][0]["dependencies"].append("task_99"),
    ],
    "plan.acyclic": [
        lambda r: needs(r, 0).append("task_1"),
        lambda r: needs(r, 0).append("task_2") or needs(r, 1).append("task_1"),
        lambda r: needs(r, 0).append(last_id(r)) or needs(r, -1).append("task_1"),
    ],
    "plan.order": [
        lambda r: of(r, "plan_created")[0]["view"]["order"].reverse(),
        lambda r: of(r, "plan_created")[0]["view"]["order"].pop(),
    ],
    "plan.from_reply": [
        lambda r: set_in(of(r, "plan_created")[0]["view"]["tasks"][1], "description", "another"),
        lambda r: needs(r, -1).pop(0),
        lambda r: of(r, "plan_created")[0] and set_in(planner_replies(r)[0]["response"], "content", "not json"),
    ],
    "review.before_run": [
        lambda r: r.remove(of(r, "plan_started")[-1] and of(r, "plan_reviewed")[-1]),
        lambda r: set_in(of(r, "plan_started")[-1] and of(r, "plan_reviewed")[-1], "decision", "cancel"),
        lambda r: move_before(r, of(r, "plan_started")[0], of_plan(r, of(r, "plan_started")[0], "plan_reviewed")[0]),
    ],
    "round.ready": [
        lambda r: rounds_of(r)[0]["task_ids"].reverse() if len(rounds_of(r)[0]["task_ids"]) > 1 else r[10_000],
        lambda r: rounds_of(r)[0]["task_ids"].pop(),
        lambda r: rounds_of(r)[1]["task_ids"].append("task_1"),
    ],
    "round.number": [
        lambda r: set_in(rounds_of(r)[0], "round", 2),
        lambda r: set_in(rounds_of(r)[1], "round", 7),
    ],
    "round.barrier": [
        lambda r: r.remove(of(r, "round_committed")[-2]) if len(of(r, "round_committed")) > 1 else r[10_000],
        lambda r: r.remove(of(r, "task_completed")[0]),
    ],
    "task.in_round": [
        lambda r: r.insert(r.index(of(r, "task_started")[0]), copy.deepcopy(of(r, "task_started")[0])),
        lambda r: set_in(of(r, "task_started")[-1], "round", 9),
        lambda r: move_before(r, of(r, "task_started")[0], rounds_of(r)[0]),
    ],
    "task.dependencies": [
        lambda r: move_before(r, started_last(r), of_plan(r, started_last(r), "task_completed")[0]),
        lambda r: move_before(r, started_last(r), of_plan(r, started_last(r), "round_started")[0]),
        lambda r: [r.remove(done) for done in of_plan(r, started_last(r), "task_completed")[:-1]] or r[10_000],
    ],
    "task.alone": [
        lambda r: set_in(of(r, "task_started")[0], "is_alone", not of(r, "task_started")[0]["is_alone"]),
        lambda r: set_in(of(r, "task_started")[-1], "is_alone", not of(r, "task_started")[-1]["is_alone"]),
    ],
    "round.size": [
        lambda r: start_together(r, 5),
        lambda r: start_together(r, 6),
        lambda r: start_together(r, 5, first=1),
    ],
    "stop.no_start": [
        lambda r: move_before(r, of(r, "replan_triggered", "replan_limit_reached")[0], of(r, "task_started")[0]),
        lambda r: move_before(r, of(r, "plan_finished")[0], rounds_of(r)[-1]),
        lambda r: move_before(r, rounds_of(r)[0], of(r, "plan_started")[0]),
    ],
    "task.context": [
        lambda r: set_in(first_user(r)[0]["message"], "content", first_user(r)[0]["message"]["content"] + " "),
        lambda r: (
            set_in(
                first_user(r)[-1]["message"],
                "content",
                first_user(r)[-1]["message"]["content"].replace("的结果", "", 1),
            )
            if "的结果" in first_user(r)[-1]["message"]["content"]
            else r[10_000]
        ),
        lambda r: set_in(first_user(r)[0]["message"], "content", "依赖任务:无"),
    ],
    "status.legal": [
        lambda r: r.insert(r.index(of(r, "task_completed")[0]), copy.deepcopy(of(r, "task_completed")[0])),
        lambda r: r.remove(of_task(r, of(r, "task_completed")[0], "task_started")[0]),
        lambda r: set_in(of(r, "task_skipped")[0], "task_id", "task_1"),
    ],
    "commit.order": [
        lambda r: swap(r, *parallel_ends(r)[:2]),
        lambda r: swap(r, *parallel_ends(r)[1:3]),
        lambda r: swap(r, *parallel_ends(r)[:3:2]),
    ],
    "round.committed": [
        lambda r: of(r, "round_committed")[0]["completed"].pop(),
        lambda r: of(r, "round_committed")[0]["failed"].append("task_1"),
        lambda r: set_in(of(r, "task_completed")[0], "type", "task_failed"),
    ],
    "progress": [
        lambda r: set_in(of(r, "round_committed")[0], "progress", 0.123),
        lambda r: set_in(of(r, "round_committed")[-1], "progress", 1.5),
    ],
    "decision": [
        lambda r: r.remove(of(r, "replan_triggered")[0]),
        lambda r: r.remove(of(r, "task_skipped")[0]),
        lambda r: r.remove(of(r, "replan_limit_reached")[0]),
        lambda r: set_in(of(r, "task_skipped")[-1], "task_id", "task_1"),
    ],
    "replan.limit": [
        lambda r: set_in(of(r, "replan_triggered")[0], "number", 2),
        lambda r: [set_in(t, "limit", 0) for t in of(r, "replan_triggered")] or r[10_000],
        lambda r: set_in(of(r, "replan_limit_reached")[0], "limit", 3),
    ],
    "replan.cause": [
        lambda r: set_in(of(r, "replan_triggered")[0], "failed_task_ids", ["task_1"]),
        lambda r: set_in(of(r, "replan_triggered")[0], "failed_task_ids", []),
    ],
    "replan.progress": [
        lambda r: set_in(of(r, "replan_triggered")[0], "progress", 0.5),
        lambda r: set_in(of(r, "replan_triggered")[0], "progress", 0.75),
        lambda r: set_in(of(r, "replan_triggered")[-1], "progress", 1.0),
    ],
    "replan.without_trigger": [
        lambda r: r.remove(of(r, "replan_triggered")[0]),
        lambda r: r.remove(of(r, "replan_triggered")[-1]),
        lambda r: move_before(r, of(r, "replan_triggered")[-1], of(r, "plan_finished")[0]),
    ],
    "calls.answered_once": [
        lambda r: r.remove(tool_messages(r)[-1]),  # a first one may be the last word of a task that was killed
        lambda r: r.insert(r.index(tool_messages(r)[0]), copy.deepcopy(tool_messages(r)[0])),
        lambda r: set_in(tool_messages(r)[1]["message"], "call_id", "other"),
    ],
    "calls.writes_alone": [
        lambda r: move_before(r, writes(r)[0], of_task(r, writes(r)[0], "tool_finished")[0]),
        lambda r: move_before(r, writes(r)[0], of_task(r, writes(r)[0], "tool_finished")[1]),
        lambda r: move_before(r, writes(r)[0], of_task(r, writes(r)[0], "tool_started")[0]),
    ],
    "calls.reads_only_parallel": [lambda r: set_in(writes(r)[0], "is_parallel", True)],
    "summary": [
        lambda r: set_in(of(r, "plan_finished")[0]["report"]["plan"]["tasks"][0], "status", "SKIPPED"),
        lambda r: set_in(of(r, "plan_finished")[0]["report"], "rounds", 77),
        lambda r: set_in(next(t for t in of(r, "turn_finished") if t["text"]), "text", "✅ 计划执行完成!"),
        lambda r: (
            set_in(of(r, "plan_finished")[0]["report"]["plan"]["tasks"][0], "result", "invented")
            if of(r, "plan_finished")[0]["report"]["plan"]["tasks"][0]["status"] == "COMPLETED"
            else r[10_000]
        ),
    ],
}
_TABLES = (_MUTATIONS, RESUMED_MUTATIONS, LIES)
MUTATIONS: dict[str, list[Mutation]] = {
    rule: [mutation for table in _TABLES for mutation in table.get(rule, ())]
    for rule in dict.fromkeys(rule for table in _TABLES for rule in table)
}


def tool_messages(records: Records) -> Records:
    return [r for r in of(records, "message_appended") if r["message"]["type"] == "tool_message"]


def writes(records: Records) -> Records:
    return [r for r in of(records, "tool_started") if r["name"] == "write_file"]


def of_task(records: Records, one: dict[str, Any], kind: str) -> Records:
    return [r for r in of(records, kind) if (r.get("plan_id"), r.get("task_id")) == (one["plan_id"], one["task_id"])]


def of_plan(records: Records, one: dict[str, Any], kind: str) -> Records:
    return [r for r in of(records, kind) if r.get("plan_id") == one["plan_id"]]


def parallel_ends(records: Records) -> Records:
    """What ends the tasks of the first round, where that has three or more and none failed."""
    ends = of_plan(records, rounds_of(records)[0], "task_completed")[: len(rounds_of(records)[0]["task_ids"])]
    if len(ends) < 3 or of(records, "task_failed"):
        raise IndexError
    return ends


def start_together(records: Records, count: int, *, first: int = 0) -> None:
    """Lets `count` tasks of the first round begin before any of them says anything."""
    if len(rounds_of(records)[0]["task_ids"]) < first + count:
        raise IndexError
    starts = of(records, "task_started")[first : first + count]
    place = of_task(records, starts[0], "message_appended")[0]
    for started in starts:
        move_before(records, started, place)


def started_last(records: Records) -> dict[str, Any]:
    """The last task that began, in a plan where it depends on another that the plan ran itself."""
    last = of(records, "task_started")[-1]
    (plan,) = of_plan(records, last, "plan_created")
    needed = next(task["dependencies"] for task in plan["view"]["tasks"] if task["id"] == last["task_id"])
    done = {r["task_id"] for r in of_plan(records, last, "task_completed")}
    return last if done.intersection(needed) else records[10_000]


def needs(records: Records, position: int) -> list[str]:
    return of(records, "plan_created")[0]["view"]["tasks"][position]["dependencies"]


def last_id(records: Records) -> str:
    return of(records, "plan_created")[0]["view"]["tasks"][-1]["id"]


def planner_replies(records: Records) -> Records:
    return [r for r in of(records, "model_reply_received") if r["actor"] == "planner"]


def fetch(records: Records, task_id: str) -> dict[str, Any]:
    """One that was not refused: which of two side by side begins first is nobody's choice."""
    ran = answered(records, task_id, "ok")["call_id"]
    return next(r for r in of(records, "tool_started") if (r.get("task_id"), r["call_id"]) == (task_id, ran))


def answered(records: Records, task_id: str, outcome: str, tool: str = "web_fetch") -> dict[str, Any]:
    wanted = (task_id, outcome, tool)
    return next(r for r in of(records, "tool_finished") if (r.get("task_id"), r["outcome"], r["name"]) == wanted)


def requests_of(records: Records, task_id: str) -> Records:
    return [r for r in of(records, "model_request_started") if r.get("task_id") == task_id]


def trusted(records: Records, source: str) -> dict[str, Any]:
    return next(r for r in of(records, "url_trusted") if r["source"] == source)


def typed_goal(records: Records) -> dict[str, Any]:
    return next(r for r in of(records, "turn_started") if "://" in r["text"])


def untyped(records: Records) -> Records:
    """Only a journal with a search, and without a URL in the person's words."""
    is_web = of(records, "url_trusted") and not any("://" in r["text"] for r in of(records, "turn_started"))
    return records if is_web else []


class Mutant(NamedTuple):
    """A good journal with one fault."""

    rule: str
    """The one that the fault breaks."""
    mutation: int
    journal: str
    blamed: frozenset[str]

    @property
    def is_caught(self) -> bool:
        return self.rule in self.blamed


def mutants(journals: dict[str, Records], rule: str) -> Iterator[Mutant]:
    """Each mutation of the rule, of each journal that it fits."""
    for number, mutate in enumerate(MUTATIONS[rule]):
        for name, records in journals.items():
            mutated = copy.deepcopy(records)
            try:
                mutate(mutated)
            except (IndexError, KeyError, StopIteration, ValueError):
                continue
            if mutated != records:
                yield Mutant(rule, number, name, frozenset(violation.rule for violation in check(mutated)))


@pytest.mark.parametrize("rule", MUTATIONS)
def test_every_mutation_is_caught_and_named(journals: dict[str, Records], rule: str) -> None:
    made = list(mutants(journals, rule))
    assert [mutant for mutant in made if not mutant.is_caught] == []
    assert {mutant.mutation for mutant in made} == set(range(len(MUTATIONS[rule]))), "a mutation fits no journal"
    assert len(made) >= 3


def test_every_rule_of_the_replayer_has_its_mutations() -> None:
    """A rule is what a violation is named by: the first argument of Violation and of each _blame."""
    named = {
        node.args[0].value
        for node in ast.walk(ast.parse(Path(e1_replay.__file__).read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and (getattr(node.func, "id", "") or getattr(node.func, "attr", "")) in {"Violation", "_blame"}
        and isinstance(node.args[0], ast.Constant)
    }
    assert named == set(MUTATIONS)


TWO = (
    '{"tasks": [{"id": "a", "description": "x", "type": " COMMAND "},'
    ' {"id": "b", "description": "y", "dependencies": ["a", "a"], "type": "command"}]}'
)
NAMED = '{{"id": "{0}", "description": "x", "dependencies": {1}}}'
AROUND = (
    *("…", "\ufeff …", "\u00a0…\u3000", "… x", "x…", "…```", "<think>…"),
    *("<think>```{</think>\n…", "<think>a</think><think>b</think>…"),
    *("```json\n…\n```", "```JSON…```", "```\n…\n``` \ufeff", "``` json\n…```"),
    *("```jsonc\n…\n```", "```json\n…", "```…```", "```json …``` ```"),
)
REPLIES = [
    *(around.replace("…", TWO) for around in AROUND),
    *("", "```json\n```", "null", "[]", "{}", '{"tasks": {}}', '{"tasks": []}', '{"tasks": [1]}'),
    '```\n{"tasks": [{"id": "a", "description": "``` x"}]}\n```',
    '{"tasks": [{"id": "a", "description": "x", "n": 1e999, "m": ' + "9" * 5_000 + "}]}",
    '{"a": {"b": 1, "b": 2}, ' + TWO[1:],
    '{"a": Infinity, ' + TWO[1:],
    '{"tasks": [{"id": "a", "description": "x\ny"}]}',
    *('{"tasks": [' + NAMED.format("a", needs) + "]}" for needs in ("null", "[1]", '["a"]', '["b"]', "[null]", "{}")),
    '{"tasks": [' + NAMED.format("a", '["b"]') + ", " + NAMED.format("b", '["a"]') + "]}",
    '{"tasks": [' + NAMED.format("a", "[]") + ", " + NAMED.format("a", "[]") + "]}",
    *('{"tasks": [{"id": ' + each + ', "description": "x"}]}' for each in ('" "', "7", "null", '""')),
    *('{"tasks": [{"id": "a", "description": ' + each + "}]}" for each in ('" "', "7", "null")),
    *('{"tasks": [' + ", ".join(NAMED.format(n, "[]") for n in range(count)) + "]}" for count in (50, 51)),
]


@pytest.mark.parametrize("reply", REPLIES)
def test_the_parser_and_the_replayer_read_the_same_plan_or_none(reply: str) -> None:
    try:
        view = parse_plan(reply, goal="目标", plan_id="p").view()
        parsed = [(task.description, task.type.value, list(task.dependencies)) for task in view.tasks]
    except PlanInvalid:
        parsed = None
    try:
        read = e1_replay.tasks_in(reply)
    except ValueError:
        read = None
    assert read == parsed


def test_missing_evidence_is_no_verdict(journals: dict[str, Records], tmp_path: Path) -> None:
    records = copy.deepcopy(journals["joined"])
    records.remove(of(records, "plan_created")[0])
    with pytest.raises(Unjudgeable):
        check(records)
    for number, text in enumerate(("", "no json\nat all\n", '{"type":"other"}\n')):
        path = tmp_path / f"{number}.jsonl"
        path.write_text(text)
        assert main([str(path)]) == 2
    assert main([str(tmp_path / "none.jsonl")]) == 2


@pytest.mark.parametrize("value", [None, 7, "x", [], [1, None], {}, {"type": "assistant_message", "tool_calls": [1]}])
@pytest.mark.parametrize("kind", ["message_appended", "plan_created", "task_completed", "turn_started"])
def test_a_record_out_of_shape_is_a_verdict_or_none_and_never_a_crash(
    journals: dict[str, Records], tmp_path: Path, kind: str, value: object
) -> None:  # C72
    path = tmp_path / "damaged.jsonl"
    for name in of(journals["joined"], kind)[0]:
        records = copy.deepcopy(journals["joined"])
        of(records, kind)[0][name] = value
        lines = ['{"type":"journal","version":1}', *(json.dumps(record) for record in records)]
        path.write_text("\n".join(lines), encoding="utf-8")
        assert main([str(path)]) in (0, 1, 2), name


def test_what_is_nested_beyond_reading_is_no_verdict(journals: dict[str, Records], tmp_path: Path) -> None:  # C72
    path = tmp_path / "deep.jsonl"
    for deep in ("[" * 100_000, '{"seq":' * 100_000):
        lines = ['{"type":"journal","version":1}', deep, *(json.dumps(record) for record in journals["joined"])]
        path.write_text("\n".join(lines), encoding="utf-8")
        assert main([str(path)]) == 2


def test_the_program_says_its_verdict_in_words_and_in_json(
    journals: dict[str, Records], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    head = '{"type":"journal","version":1}\n'
    good.write_text(head + "\n".join(json.dumps(r) for r in journals["joined"]) + '\n{"cut', encoding="utf-8")
    assert main([str(good)]) == 0
    mutated = copy.deepcopy(journals["joined"])
    of(mutated, "round_committed")[0]["progress"] = 0.1
    bad.write_text(head + "\n".join(json.dumps(r) for r in mutated), encoding="utf-8")
    assert main([str(bad), "--json"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "no violation"
    verdict = json.loads(said[1])
    assert (verdict["verdict"], [v["rule"] for v in verdict["violations"]]) == ("violated", ["progress"])


def test_the_proof_counts_what_was_caught_and_names_what_was_missed() -> None:
    found, missed = Mutant("seq", 0, "joined", frozenset({"seq"})), Mutant("seq", 1, "half", frozenset({"progress"}))
    text = list(importlib.import_module("evals.mutations").report({"seq": [found, missed]}, good=2, blamed=["half"]))
    assert text == [
        "seq                            1 of 2",
        "    missed: mutation 1 of 'half', blamed ['progress']",
        "1 of 2 mutations caught, 1 rules",
        "1 of 2 good journals not blamed: half",
    ]
