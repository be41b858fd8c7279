# What a search found for a completed task is trusted in its branch when the plan goes on, and by the journal alone.
from collections.abc import Callable

import pytest
from evals.e1_replay import check

from paicli.agent.outcome import LoopOutcome, LoopStatus
from paicli.core.cancellation import CancellationToken
from paicli.core.event_bodies.plans import TaskCompleted
from paicli.core.events import (
    Event,
    MessageAppended,
    ModelRequestStarted,
    Origin,
    ToolFinished,
    ToolStarted,
    UrlTrusted,
)
from paicli.core.messages import AssistantMessage, ToolCall, ToolMessage, ToolOutcome
from paicli.core.ops import TurnKind
from tests.agent.plan_bench import plan_reply
from tests.evals.test_random_plans import JournalBench, records_of

URL = "http://found.example/a"
PLAN = plan_reply(("搜", []), ("取", [1]), ("旁", []))


def searching(bench: JournalBench) -> Callable[[Origin, CancellationToken], LoopOutcome]:
    def talk(origin: Origin, cancel: CancellationToken) -> LoopOutcome:
        say = bench.stream.emitter(origin)
        say(ModelRequestStarted(1, 2, ("web_search",)))
        say(calling(ToolCall("c1", "web_search", '{"query": "a"}')))
        say(ToolStarted("c1", "web_search", '{"query": "a"}'))
        say(UrlTrusted(URL, "web_search"))
        say(ToolFinished("c1", "web_search", ToolOutcome.OK, f"1. title\n   {URL}", None, 0.1))
        say(MessageAppended(ToolMessage("c1", "web_search", f"<tool_result>\n1. title\n   {URL}\n</tool_result>")))
        return LoopOutcome(LoopStatus.DONE, "搜到了")

    return talk


def fetching(bench: JournalBench) -> Callable[[Origin, CancellationToken], LoopOutcome]:
    def talk(origin: Origin, cancel: CancellationToken) -> LoopOutcome:
        say = bench.stream.emitter(origin)
        say(UrlTrusted(URL, "dependency"))
        say(ModelRequestStarted(1, 2, ("web_search", "web_fetch")))
        say(calling(ToolCall("c2", "web_fetch", f'{{"url": "{URL}"}}')))
        say(ToolStarted("c2", "web_fetch", f'{{"url": "{URL}"}}'))
        say(ToolFinished("c2", "web_fetch", ToolOutcome.OK, "page", None, 0.1))
        say(MessageAppended(ToolMessage("c2", "web_fetch", "<tool_result>\npage\n</tool_result>")))
        return LoopOutcome(LoopStatus.DONE, "取到了")

    return talk


def calling(call: ToolCall) -> MessageAppended:
    return MessageAppended(AssistantMessage(tool_calls=(call,)))


def killed_behind_the_search() -> list[Event]:
    bench = JournalBench([PLAN])
    bench.talks["搜"] = searching(bench)
    events = bench.events()
    ends = [event for event in events if isinstance(event.body, TaskCompleted) and event.origin.task_id == "task_1"]
    return events[: events.index(ends[0]) + 1]


def test_a_branch_keeps_what_its_search_found() -> None:
    before = killed_behind_the_search()
    bench = JournalBench([], after=before)
    bench.talks["取"] = fetching(bench)
    after = bench.events(TurnKind.PLAN_RESUME)
    assert f"- {URL}" in bench.told("task_2", "t2_plan_1")
    assert URL not in bench.told("task_3", "t2_plan_1")
    assert ("task_2", (URL,)) in bench.shared
    assert check(records_of([*before, *after])) == []


@pytest.mark.parametrize("name", ["旁", "取"])
def test_no_other_branch_and_no_other_url_is_trusted(name: str) -> None:
    before = killed_behind_the_search()
    if name == "取":  # it is not what the search found
        before = [
            e._replace(body=e.body._replace(content="nothing")) if isinstance(e.body, ToolFinished) else e
            for e in before
        ]
    bench = JournalBench([], after=before)
    bench.talks[name] = fetching(bench)
    blamed = {violation.rule for violation in check(records_of([*before, *bench.events(TurnKind.PLAN_RESUME)]))}
    assert {"url.fetched", "url.dependency"} <= blamed
