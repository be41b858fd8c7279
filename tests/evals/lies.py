"""Journals that are well-formed and lie: each event by itself could be true, only beside the others it can't."""

import copy
import json
from collections.abc import Callable
from typing import Any, cast

Records = list[dict[str, Any]]
Found = dict[str, Any]


def of(records: Records, *kinds: str) -> Records:
    return [record for record in records if record["type"] in kinds]


def messages(records: Records, kind: str, *, of_task: bool = False) -> Records:
    found = [r for r in of(records, "message_appended") if r["message"]["type"] == kind]
    return [r for r in found if r.get("task_id")] if of_task else found


def contexts(records: Records) -> Records:
    """What tasks were told, in a turn that nobody killed: of a killed one nobody knows what would have followed."""
    return messages(of_last_turn(records, "message_appended"), "user_message", of_task=True)


def replies(records: Records) -> Records:
    return [r for r in of(records, "model_reply_received") if r.get("task_id") and not r["response"]["tool_calls"]]


def said(records: Records) -> Records:
    """What tasks' models said, and not the house in their place."""
    texts = messages(records, "assistant_message", of_task=True)
    return [record for record in texts if record["message"]["content"].strip("(") == record["message"]["content"] != ""]


def renumber(records: Records) -> None:
    for number, record in enumerate(records, 1):
        record["seq"] = number


def put(records: Records, place: Found, *new: Found) -> None:
    """Directly behind that place."""
    at = records.index(place) + 1
    records[at:at] = new
    renumber(records)


def drop(records: Records, *gone: Found) -> None:
    for each in gone:
        records.remove(each)
    renumber(records)


def reworded(record: Found, replace: Callable[[str], str]) -> Found:
    """With every text in it replaced."""
    return json.loads(
        json.dumps(record), object_hook=lambda held: {key: _reworded(value, replace) for key, value in held.items()}
    )


def _reworded(value: object, replace: Callable[[str], str]) -> object:
    if isinstance(value, list):
        return [_reworded(each, replace) for each in cast(list[object], value)]
    return replace(value) if isinstance(value, str) else value


def reword(records: Records, replace: Callable[[str], str], *, but: tuple[str, ...]) -> None:
    """The same lie wherever it is told."""
    records[:] = [record if record["type"] in but else reworded(record, replace) for record in records]


def ran(records: Records, position: int = 0) -> tuple[Found, Found]:
    """One call that ran, in a turn that nobody killed: its start and its end."""
    started = of_last_turn(records, "tool_started")[position]
    call = (started["call_id"], started["actor"])
    return started, next(r for r in of_last_turn(records, "tool_finished") if (r["call_id"], r["actor"]) == call)


def again(records: Records, **changes: Any) -> None:
    """A call runs once more than it was made."""
    started, finished = ran(records)
    copies = [{**copy.deepcopy(record), **changes} for record in (started, finished)]
    put(records, finished, *copies)


def last_round_left_out(records: Records) -> Found:
    """The plan ends one round early and its report knows nothing of that; returns the report."""
    last, end = of(records, "round_started")[-1], of(records, "plan_finished")[0]
    del records[records.index(last) : records.index(end)]
    renumber(records)
    report = end["report"]
    report["rounds"] -= 1
    for task in report["plan"]["tasks"]:
        if task["id"] in last["task_ids"]:
            task.update(status="PENDING", result="")
    return report


def ended_early(records: Records) -> None:
    last_round_left_out(records)["ending"] = "partial"


def skipped_for_nothing(records: Records) -> None:
    (name,) = of(records, "round_started")[-1]["task_ids"]
    if of(records, "task_failed"):
        raise IndexError
    report = last_round_left_out(records)
    report["ending"] = "partial"
    committed = of(records, "round_committed")[-1]
    skipped = {"type": "task_skipped", "reason": "dependency_failed", "cause_task_id": "task_1", "task_id": name}
    put(records, committed, committed | skipped)
    next(task for task in report["plan"]["tasks"] if task["id"] == name)["status"] = "SKIPPED"


def triggered_for_nothing(records: Records) -> None:
    if of(records, "task_failed"):
        raise IndexError
    committed = of(records, "round_committed")[0]
    trigger = {"type": "replan_triggered", "number": 1, "limit": 2, "failed_task_ids": ["task_1"], "progress": 0.25}
    put(records, committed, committed | trigger)


def siblings_results_exchanged(records: Records) -> None:
    """In the events, in the contexts and in the summary: everywhere but where they were said."""
    one, other = of(records, "task_completed")[:2]
    if (one["plan_id"], one["round"]) != (other["plan_id"], other["round"]):
        raise IndexError
    first, second = one["result"], other["result"]
    unsaid = ("model_reply_received", "plan_created", "plan_started", "plan_review_requested")
    but = (*unsaid, *(("message_appended",) if messages(records, "tool_message") else ()))
    reword(records, lambda text: text.replace(first, "\0").replace(second, first).replace("\0", second), but=but)


def other_goal(records: Records, plan: Found) -> None:
    """The plan works for another goal than the person's, and says so to each task."""
    wanted = plan["plan_id"]
    for number, record in enumerate(records):
        if record.get("plan_id") == wanted and record["type"] != "planning_started":
            records[number] = reworded(
                record, lambda text: "别的" if text == "目标" else text.replace("总目标:目标", "总目标:别的")
            )


def results_exchanged(records: Records) -> None:
    first, second = (record["message"] for record in messages(records, "tool_message")[:2])
    bodies = [message["content"].partition("\n")[2] for message in (first, second)]
    if bodies[0] == bodies[1]:
        raise IndexError
    for message, body in zip((first, second), reversed(bodies), strict=True):
        message["content"] = message["content"].partition("\n")[0] + "\n" + body


def answers_out_of_turn(records: Records) -> None:
    first, second = messages(records, "tool_message")[:2]
    if (first["actor"], first.get("plan_id")) != (second["actor"], second.get("plan_id")):
        raise IndexError
    first["message"], second["message"] = second["message"], first["message"]


def reads_together(records: Records, count: int) -> None:
    """So many more than were at work."""
    started = next(r for r in of(records, "tool_started") if r["is_parallel"])
    put(records, started, *({**started, "call_id": f"more_{number}"} for number in range(count)))


def moved_behind(records: Records, moved: Found, place: Found) -> None:
    records.remove(moved)
    put(records, place, moved)


def requests(records: Records) -> Records:
    return [r for r in of(records, "model_request_started") if r.get("task_id")]


def committed_after(records: Records, record: Found) -> Found:
    return next(r for r in of(records, "round_committed") if r["plan_id"] == record["plan_id"])


def told_more(records: Records, content: str) -> None:
    told = contexts(records)[0]
    more = copy.deepcopy(told)
    more["message"]["content"] = content
    put(records, told, more)


def untold_search(records: Records) -> None:
    """A search's URLs count for nobody: no event, nothing in the contexts."""
    drop(records, searched(records)[0], *searched(records)[1:])
    for record in messages(records, "user_message", of_task=True):
        head, mark, rest = record["message"]["content"].partition("依赖分支经")
        if mark:
            record["message"]["content"] = head + rest[rest.index("请执行此任务") :]


def searched(records: Records) -> Records:
    return [record for record in of(records, "url_trusted") if record["source"] == "web_search"]


def of_last_turn(records: Records, *kinds: str) -> Records:
    last = of(records, "turn_finished")[-1]["turn_id"]
    return [record for record in of(records, *kinds) if record.get("turn_id") == last]


def of_goal(records: Records, kind: str) -> Records:
    """Only in a journal whose plans were all made from what the person typed."""
    causes = {record["cause"] for record in of(records, "plan_created")}
    is_typed = of(records, "turn_started")[0]["text"] == "目标"
    return of(records, kind) if is_typed and causes <= {"goal", "replan"} else []


def failed(records: Records) -> Records:
    """Only where a task failed."""
    return records if of(records, "task_failed") else []


def planned(records: Records, cause: str) -> Found:
    """The planner's answer for this cause."""
    plan = next(record for record in of(records, "plan_created") if record["cause"] == cause)
    return next(r for r in of(records, "model_reply_received") if r.get("plan_id") == plan["plan_id"])


def rejected(records: Records, cause: str) -> Found:
    reply = planned(records, cause)
    return {
        **reply,
        "type": "plan_rejected",
        "actor": "engine",
        "fault": {"code": "plan.invalid.tasks"},
        "cause": cause,
    }


def replied(records: Records, change: Callable[[str], str]) -> None:
    response = planned(records, "goal")["response"]
    response["content"] = change(response["content"])


def finished(records: Records, ending: str) -> Found:
    return next(r["report"] for r in of(records, "plan_finished") if r["report"]["ending"] == ending)


MUTATIONS: dict[str, list[Callable[[Records], object]]] = {
    "decision": [skipped_for_nothing, triggered_for_nothing],
    "ending": [
        ended_early,
        skipped_for_nothing,
        lambda r: finished(r, "completed").update(ending="partial"),
        lambda r: finished(r, "completed").update(ending="stuck"),
        lambda r: finished(r, "partial").update(ending="replan_limit"),
        lambda r: finished(r, "replan_limit").update(ending="cancelled"),
        lambda r: finished(r, "partial") and of(failed(r), "turn_finished")[-1].update(status="completed"),
        lambda r: finished(r, "completed") and of(r, "turn_finished")[-1].update(status="partial"),
    ],
    "summary": [
        lambda r: of(r, "plan_finished")[0]["report"]["plan"]["tasks"].pop(),
        lambda r: of(r, "plan_finished")[0]["report"]["plan"]["tasks"][0].update(description="another"),
        lambda r: of(r, "plan_finished")[0]["report"]["earlier"].pop(),
        lambda r: of(r, "plan_finished")[0]["report"]["earlier"][0]["tasks"][0].update(result="invented"),
        lambda r: finished(r, "completed")["plan"]["tasks"][-1].update(is_partial=True),
    ],
    "task.result": [
        siblings_results_exchanged,
        lambda r: replies(r)[0]["response"].update(content="what it really said"),
        lambda r: replies(r)[-1]["response"].update(content=""),
        lambda r: said(r)[0]["message"].update(content="another"),
    ],
    "task.context": [
        lambda r: drop(r, contexts(r)[0]),
        lambda r: drop(r, contexts(r)[-1]),
        lambda r: told_more(r, "另一个任务的结果"),
        lambda r: told_more(r, contexts(r)[0]["message"]["content"]),
    ],
    "task.at_work": [
        lambda r: moved_behind(r, requests(r)[0], committed_after(r, requests(r)[0])),
        lambda r: moved_behind(r, ran(r)[0], committed_after(r, ran(r)[0])),
        lambda r: put(r, of(r, "replan_triggered", "replan_limit_reached")[0], copy.deepcopy(requests(r)[0])),
        lambda r: put(r, of_goal(r, "round_started")[0], copy.deepcopy(requests(r)[0])),
    ],
    "plan.goal": [
        lambda r: other_goal(r, of_goal(r, "plan_started")[0]),
        lambda r: other_goal(r, of_goal(r, "plan_started")[1]),
        lambda r: next(p for p in of(r, "plan_created") if p["cause"] == "feedback")["view"].update(goal="目标"),
    ],
    "plan.cause": [
        lambda r: of_goal(r, "plan_created")[1].update(cause="goal"),
        lambda r: next(p for p in of(r, "plan_created") if p["cause"] == "replan").update(cause="feedback"),
        lambda r: next(p for p in of(r, "plan_created") if p["cause"] == "goal").update(cause="file"),
        lambda r: drop(r, next(p for p in of(r, "plan_reviewed") if p["decision"] == "revise")),
    ],
    "plan.same": [
        lambda r: of(r, "plan_started")[-1]["view"]["tasks"][0].update(description="another"),
        lambda r: of(r, "plan_started")[0]["view"]["tasks"].pop(),
        lambda r: of(r, "task_started")[0].update(description="another"),
        lambda r: of(r, "task_started")[-1].update(actor="task_77"),
    ],
    "plan.rejected": [
        lambda r: put(r, planned(r, "goal"), rejected(r, "goal")),
        lambda r: put(r, planned(r, "replan"), rejected(r, "replan")),
        lambda r: put(r, planned(r, "feedback"), rejected(r, "feedback")),
    ],
    "plan.from_reply": [
        lambda r: replied(r, lambda text: text + "}"),
        lambda r: replied(r, lambda text: text.replace('"id": ', '"id": "first", "id": ', 1)),
        lambda r: replied(r, lambda text: text[:-1] + ', "cost": NaN}'),
        lambda r: replied(r, lambda text: text.replace('"dependencies": []', '"dependencies": null', 1)),
        lambda r: replied(r, lambda text: "```json\n" + text),
        lambda r: of(r, "plan_started") and of(r, "plan_created")[0]["view"]["tasks"][0].update(type="COMMAND"),
    ],
    "review.shown": [
        lambda r: of(r, "plan_review_requested")[-1]["view"]["tasks"][0].update(description="harmless"),
        lambda r: of(r, "plan_review_requested")[0]["view"].update(goal="another"),
        lambda r: put(r, of(r, "plan_reviewed")[0], copy.deepcopy(of(r, "plan_reviewed")[0])),
        lambda r: of(r, "plan_reviewed")[1].update(request_id=of(r, "plan_reviewed")[0]["request_id"]),
    ],
    "review.before_run": [lambda r: of(r, "plan_started") and of(r, "plan_reviewed")[-1].update(by="nobody")],
    "round.number": [
        lambda r: of(r, "task_completed")[0].update(round=9),
        lambda r: of(r, "round_committed")[0].update(round=9),
        lambda r: requests(r)[0].update(round=9),
    ],
    "replan.progress": [
        lambda r: of(r, "replan_triggered")[0].update(progress=of(r, "replan_triggered")[0]["progress"] + 0.01),
        lambda r: of(r, "replan_limit_reached")[0].update(progress=0.01),
    ],
    "replan.limit": [
        lambda r: of(r, "replan_triggered")[1].update(limit=5),
        lambda r: of(r, "replan_triggered") and of(r, "plan_finished")[0]["report"].update(replan_limit=7),
    ],
    "calls.made": [
        again,
        lambda r: again(r, call_id="ghost"),
        lambda r: ran(r)[0].update(arguments='{"path": "other.txt"}'),
        lambda r: ran(r)[0].update(name="glob_files"),
    ],
    "calls.finished": [
        lambda r: drop(r, ran(r)[0]),
        lambda r: drop(r, of_last_turn(r, "tool_finished")[0]),
        lambda r: put(r, ran(r)[1], copy.deepcopy(ran(r)[1])),
    ],
    "calls.own_result": [
        results_exchanged,
        lambda r: ran(r)[1].update(content="what it really brought"),
        lambda r: ran(r)[1].update(content=ran(r)[1]["content"] + "x" * 1_000),
    ],
    "calls.order": [
        answers_out_of_turn,
        lambda r: messages(r, "tool_message")[0]["message"].update(name="grep_code"),
        lambda r: messages(r, "tool_message")[-1]["message"].update(name="grep_code"),
    ],
    "calls.at_most_four": [
        lambda r: reads_together(r, 4),
        lambda r: reads_together(r, 5),
        lambda r: reads_together(r, 9),
    ],
    "turn.order": [
        lambda r: moved_behind(r, of(r, "turn_finished")[-1], of_last_turn(r, "turn_started")[0]),
        lambda r: put(r, of(r, "turn_finished")[0], copy.deepcopy(of(r, "turn_finished")[0])),
        lambda r: put(r, of(r, "turn_started")[0], copy.deepcopy(of(r, "turn_started")[0])),
    ],
    "url.told": [
        untold_search,
        lambda r: searched(r)[0].update(url="http://127.0.0.1:9/other"),
        lambda r: drop(r, searched(r)[0]),
    ],
}
"""Rule → lies that break it, as in test_e1_replay; some are more of a rule that has others there."""
