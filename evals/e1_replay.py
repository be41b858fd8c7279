"""Rebuilds the schedule of every plan from a session's journal alone and names each rule that the run broke.

    python evals/e1_replay.py JOURNAL [--json]

Standard library only, one file, nothing of paicli: the rules stand here a second time, written from the specification
and not from the scheduler, so that both can't be wrong in the same way. Exit status: 0 no violation, 1 violations,
2 the journal can't be judged (missing evidence is no verdict).
"""

import itertools
import json
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple, cast
from urllib.parse import quote, urlsplit

Record = dict[str, Any]

READS = {"read_file", "list_dir", "glob_files", "grep_code", "web_search", "web_fetch", "search_code", "load_skill"}
MAX_PARALLEL, MAX_TASKS = 4, 50
WHOLE_RESULT, HEAD, TAIL = 32_000, 2_000, 800
SURE = 500
"""Characters of a tool's result that stand in its message however much else the step brought."""
TYPES = {"FILE_READ", "FILE_WRITE", "COMMAND", "ANALYSIS", "VERIFICATION"}
INTERRUPTED = (
    "注意:此任务上次执行时中断,已经做了什么、产生了什么效果都不确定。请先检查现状,再继续;"
    "不要假设某一步已经做完,也不要假设它没有做过。"
)
OPEN_ENDINGS = {"cancelled", "replan_cancelled", "replan_failed"}
"""After these something is left of a plan that a later turn may go on with."""
CLOSING = "请执行此任务。如果是ANALYSIS或VERIFICATION类型,请基于以上上下文直接给出结果。"
ENDED = {"task_completed", "task_failed", "task_skipped", "task_interrupted"}


class Violation(NamedTuple):
    rule: str
    seq: int
    what: str


class Unjudgeable(Exception):
    """The journal lacks what a verdict needs."""


class _Nonsense(Exception):
    """A plan so wrong that nothing behind it can be replayed; it is blamed already."""


def read_journal(text: str) -> list[Record]:
    """The records in order. Anything but a line that a crash cut, and no record, makes it unjudgeable."""
    records: list[Record] = []
    lines = text.removeprefix("\ufeff").split("\n")
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            # A process that goes on ends the cut line, and begins with a header of its own.
            if number == len(lines) or lines[number].startswith('{"type":"journal"'):
                continue
            raise Unjudgeable(f"line {number} is no JSON") from None
        if not isinstance(record, dict) or "type" not in record:
            raise Unjudgeable(f"line {number} is no record")
        records.append(cast(Record, record))
    if not records or records[0]["type"] != "journal":
        raise Unjudgeable("the first line is not a journal's")
    return [record for record in records if "seq" in record]


def check(records: list[Record]) -> list[Violation]:
    """Every broken rule, in the order of the events. Raises Unjudgeable."""
    try:
        return _violations(records)
    except (TypeError, KeyError, AttributeError, IndexError, ValueError, OverflowError, RecursionError) as error:
        raise Unjudgeable(f"a record is not in its event's shape: {type(error).__name__}: {error}") from error


def _violations(records: list[Record]) -> list[Violation]:
    found: list[Violation] = []
    found += _check_numbers(records)
    found += _check_calls(records)
    found += _check_urls(records)
    left = _Left()
    for turn in _by_turn(records):
        if turn[0].get("turn_id"):
            found += _Turn(turn, left).check()
        else:
            left.hear(turn)
    return sorted(found, key=lambda violation: violation.seq)


def _by_turn(records: list[Record]) -> list[list[Record]]:
    """Each turn's records, in the order in which the turns began; what stands between turns by itself."""
    turns: dict[str, list[Record]] = {}
    for number, record in enumerate(records):
        turns.setdefault(record.get("turn_id") or f"{number}", []).append(record)
    return list(turns.values())


def _check_numbers(records: list[Record]) -> list[Violation]:
    return [
        Violation("seq", later["seq"], f"follows {earlier['seq']}")
        for earlier, later in itertools.pairwise(records)
        if later["seq"] <= earlier["seq"]
    ]


# --- tool calls -------------------------------------------------------------------------------------------------------


def _check_calls(records: list[Record]) -> list[Violation]:
    """Each call runs once, is answered once, in order, with its own result; only reads run beside others."""
    calls = _Calls()
    for record in records:
        handler = getattr(calls, f"_on_{record['type']}", None)
        if handler is not None:
            handler(record)
    return calls.found


class _Calls:
    """The calls of all conversations, by (plan, task, actor)."""

    def __init__(self) -> None:
        self.found: list[Violation] = []
        self._waiting: dict[tuple[str, ...], list[Record]] = {}
        """Calls of the last reply without an answer, in the model's order."""
        self._spoke_in: dict[tuple[str, ...], str] = {}
        """The turn of its last message."""
        self._begun: dict[tuple[str, ...], set[str]] = {}
        """Of the last reply."""
        self._running: dict[tuple[str, ...], dict[str, Record]] = {}
        self._results: dict[tuple[str, ...], str] = {}
        """(plan, task, actor, turn, call) → what it came to."""
        self._rewritten: dict[tuple[str, ...], int] = {}
        """So many messages more are what a compaction left of the conversation."""

    def _blame(self, rule: str, record: Record, what: str) -> None:
        self.found.append(Violation(rule, record["seq"], what))

    def _on_compaction_finished(self, record: Record) -> None:
        self._rewritten[_who(record)] = record.get("message_count", 0)

    def _on_message_appended(self, record: Record) -> None:
        message, who = record["message"], _who(record)
        is_rewritten = self._rewritten.get(who, 0) > 0
        self._rewritten[who] = self._rewritten.get(who, 0) - is_rewritten
        waiting = self._waiting.setdefault(who, [])
        self._spoke_in[who] = record.get("turn_id", "")
        if message["type"] == "tool_message":
            self._answer(record, waiting)
            if not is_rewritten:
                self._compare(record, who)
            return
        # What a cancel or a crash left open is answered by the history itself, without an event: only within a
        # reply's own results may nothing else stand.
        if waiting and message["type"] != "system_message" and not _is_break(message):
            self._blame("calls.answered_once", record, f"{', '.join(call['id'] for call in waiting)} not answered")
        waiting.clear()
        self._begun.pop(who, None)
        if message["type"] == "assistant_message":
            waiting += message["tool_calls"]

    def _answer(self, record: Record, waiting: list[Record]) -> None:
        message = record["message"]
        call = next((call for call in waiting if call["id"] == message["call_id"]), None)
        if call is None:
            self._blame("calls.answered_once", record, f"{message['call_id']} has no call that waits for it")
            return
        if call is not waiting[0] or call["name"] != message["name"]:
            self._blame("calls.order", record, f"{message['call_id']} is answered out of turn or as another tool")
        waiting.remove(call)

    def _compare(self, record: Record, who: tuple[str, ...]) -> None:
        """The message holds what its own call brought."""
        message = record["message"]
        result = self._results.get((*who, record.get("turn_id", ""), message["call_id"]))
        if result is None:
            return
        said = _visible(message["content"].partition("\n")[2].removesuffix("\n</tool_result>"))
        brought = _visible(result)
        edge = SURE // 4
        is_same = said == brought
        if len(brought) > SURE:  # a step that brought too much shows less of each
            is_same = said.startswith(brought[: SURE - edge - 10]) and said.endswith(brought[10 - edge :])
        if not is_same:
            self._blame("calls.own_result", record, f"{message['call_id']} is answered with what it did not bring")

    def _on_tool_started(self, record: Record) -> None:
        who, name, call_id = _who(record), record["name"], record["call_id"]
        if record.get("actor") != "user":  # what a person runs has no message
            wanted = {call["id"]: (call["name"], call["arguments"]) for call in self._waiting.get(who, [])}
            begun = self._begun.setdefault(who, set())
            if wanted.get(call_id) != (name, record["arguments"]) or call_id in begun:
                self._blame("calls.made", record, f"{name} ({call_id}) runs and no reply asks for it, or again")
            begun.add(call_id)
        running = self._running.setdefault((*who, record.get("turn_id", "")), {})
        beside = [other["name"] for other in running.values()]
        running[call_id] = record
        if beside and (name not in READS or any(other not in READS for other in beside)):
            self._blame("calls.writes_alone", record, f"{name} starts beside {', '.join(beside)}")
        elif record["is_parallel"] and name not in READS:
            self._blame("calls.reads_only_parallel", record, f"{name} is marked as parallel")
        if len(beside) >= MAX_PARALLEL:
            self._blame("calls.at_most_four", record, f"{name} starts beside {len(beside)} others")

    def _on_tool_finished(self, record: Record) -> None:
        who, call_id = (*_who(record), record.get("turn_id", "")), record["call_id"]
        if self._running.setdefault(who, {}).pop(call_id, None) is None:
            self._blame("calls.finished", record, f"{record['name']} ({call_id}) ends and did not begin")
        self._results[*who, call_id] = record["content"]

    def _on_turn_finished(self, record: Record) -> None:
        turn = record.get("turn_id", "")
        if record["status"] != "cancelled":  # after a cancel some are left behind
            for who, running in self._running.items():
                for started in running.values() if who[-1] == turn else ():
                    self._blame("calls.finished", started, f"{started['name']} ({started['call_id']}) has no end")
        if record["status"] in {"completed", "partial"}:
            for who, waiting in self._waiting.items():
                if waiting and self._spoke_in[who] == turn:  # else its turn was killed
                    names = ", ".join(call["id"] for call in waiting)
                    self._blame("calls.answered_once", record, f"{names} not answered")
        self._running.clear()
        self._results.clear()

    def _on_conversation_cleared(self, record: Record) -> None:
        self._waiting.clear()

    _on_conversation_rewound = _on_conversation_cleared


def _who(record: Record) -> tuple[str, str, str]:
    return record.get("plan_id", ""), record.get("task_id", ""), record.get("actor", "")


def _visible(text: str) -> str:
    """As it stands inside the boundary: without tag characters, and whatever looks like a boundary the same."""
    return re.sub("[\U000e0000-\U000e007f]", "", text).replace("\uff1c", "<").replace("&lt;", "<")


def _is_break(message: Record) -> bool:
    return message["type"] == "assistant_message" and message["content"].startswith("(")


# --- URLs -------------------------------------------------------------------------------------------------------------

UNTYPED = {"plan_file", "plan_resume", "shell"}
"""Kinds of turn whose text nobody typed as words."""
HIT = re.compile(r"^\d+\. .*\n   (\S+)$", re.MULTILINE)
"""A search result: its title, and its URL on a line of its own."""
URL_CHARACTER = re.compile(r"[\w/%?=&#+~-]", re.ASCII)
SENTENCE_MARKS = ".,;:!?*_)]}~"


def same_url(url: str) -> str | None:
    """One spelling: scheme and host in lower case, no fragment, no default port, no trailing slash."""
    try:
        parts = urlsplit(url.strip())
        host, port = (parts.hostname or "").rstrip("."), parts.port
        host = host if host.isascii() else host.encode("idna").decode("ascii")
    except (ValueError, UnicodeError):
        return None
    scheme = parts.scheme.lower()
    if scheme not in {"http", "https"} or not host or "@" in parts.netloc:
        return None
    place = f"[{host}]" if ":" in host else host
    place += f":{port}" if port not in {None, 80 if scheme == "http" else 443} else ""
    query = "?" + parts.query if parts.query else ""
    path = quote(parts.path.rstrip("/") + query, safe="".join(map(chr, range(33, 127))))
    return f"{scheme}://{place}" + re.sub("%[0-9a-fA-F]{2}", lambda match: match[0].upper(), path)


def stands_in(url: str, words: str) -> bool:
    """Whether the URL, in whatever spelling, stands in the person's words; a bare host may be meant by it too."""
    wanted = same_url(url)
    for run in re.findall(r"[^\s<>\"'`|\\^{}]+", words):
        found = re.search("https?://", run, re.IGNORECASE)
        heads = [run[found.start() :]] if found else [f"{scheme}://{run}" for scheme in ("https", "http")]
        if any(same_url(ended) == wanted for head in heads for ended in _endings(head, len(url))):
            return True
    return False


def _endings(run: str, length: int) -> list[str]:
    """The beginnings of a run of characters that may be all of a URL about `length` long."""
    cuts = range(max(8, length - 8), min(len(run), length + 8) + 1)
    whole = [run.rstrip(SENTENCE_MARKS), run]
    return whole + [run[:at] for at in cuts if at == len(run) or not URL_CHARACTER.match(run[at])]


def _check_urls(records: list[Record]) -> list[Violation]:
    """Each fetched URL was the person's of this turn, or found by a search of an earlier step or of a dependency."""
    found: list[Violation] = []
    known: dict[str, set[str]] = {}
    for turn in _by_turn(records):
        found += _TurnUrls(turn, known).check()
    return found


class _TurnUrls:
    """Who may fetch what in one turn."""

    def __init__(self, records: list[Record], known: dict[str, set[str]]) -> None:
        """`known`: what the completed tasks of the plan that was made last found, over all its turns."""
        self._records = records
        self._known = known
        self._violations: list[Violation] = []
        self._words: list[str] = []
        self._steps: dict[tuple[str, str], int] = {}
        self._finds: dict[tuple[str, str], dict[str, int]] = {}
        """By plan and task: URL → the step that found it."""
        self._upstream: dict[tuple[str, str], list[str]] = {}
        self._fetches: dict[tuple[str, str, str], Record] = {}
        self._hits: list[tuple[Record, tuple[str, str], str]] = []
        self._told: set[tuple[str, str, str | None]] = set()

    def check(self) -> list[Violation]:
        for record in self._records:
            who = (record.get("plan_id", ""), record.get("task_id", ""))
            handler = getattr(self, f"_on_{record['type']}", None)
            if handler is not None:
                handler(record, who)
        for record in self._records:
            if record["type"] == "url_trusted" and record["source"] == "user" and not self._is_typed(record["url"]):
                self._blame("url.user", record, "does not stand in the person's words")
        for record, who, hit in self._hits:
            if (url := same_url(hit)) and (*who, url) not in self._told and not self._is_typed(hit):
                self._blame("url.told", record, f"{hit} was found and not told")
        return self._violations

    def _blame(self, rule: str, record: Record, what: str) -> None:
        self._violations.append(Violation(rule, record["seq"], f"{record.get('url', '')} {what}".strip()))

    def _on_turn_started(self, record: Record, who: tuple[str, str]) -> None:
        if record["kind"] not in UNTYPED:
            self._words.append(record["text"])

    def _on_queue_taken(self, record: Record, who: tuple[str, str]) -> None:
        if record["into"] == "turn":
            self._words += record["texts"]

    def _on_plan_reviewed(self, record: Record, who: tuple[str, str]) -> None:
        self._words.append(record.get("feedback", ""))

    def _on_task_completed(self, record: Record, who: tuple[str, str]) -> None:
        self._known[who[1]] = {url for url in self._finds.get(who, {}) if url}

    def _on_plan_created(self, record: Record, who: tuple[str, str]) -> None:
        if record["cause"] != "resume":
            self._known.clear()
        for name, urls in self._known.items():  # the same plan goes on: what its completed tasks found counts
            self._finds[record["view"]["id"], name] = dict.fromkeys(urls, 0)
        needs = {task["id"]: task["dependencies"] for task in record["view"]["tasks"]}
        for name in needs:
            reached: list[str] = []
            waiting = [name]
            while waiting:  # whatever is wrong with the plan is blamed elsewhere
                new = [needed for needed in needs.get(waiting.pop(), []) if needed not in reached]
                reached += new
                waiting += new
            self._upstream[record["view"]["id"], name] = [other for other in reached if other != name]

    def _on_model_request_started(self, record: Record, who: tuple[str, str]) -> None:
        self._steps[who] = self._steps.get(who, 0) + 1
        if "web_fetch" in record["tool_names"] and not self._may_fetch_something(who):
            self._blame("url.offered", record, "web_fetch is offered and nothing may be fetched")

    def _on_tool_started(self, record: Record, who: tuple[str, str]) -> None:
        if record["name"] == "web_fetch":
            self._fetches[*who, record["call_id"]] = record

    def _on_tool_finished(self, record: Record, who: tuple[str, str]) -> None:
        if record["name"] == "web_search" and record["outcome"] == "ok":
            for hit in HIT.findall(record["content"]):
                self._finds.setdefault(who, {}).setdefault(same_url(hit) or "", self._steps.get(who, 0))
                self._hits.append((record, who, hit))
        started = self._fetches.pop((*who, record["call_id"]), None)
        if started is None or record["outcome"] in {"denied", "cancelled"}:
            return
        try:
            url = str(json.loads(started["arguments"])["url"])
        except (ValueError, KeyError, TypeError):
            return  # refused for its arguments
        if not self._may_fetch(url, who):
            self._blame("url.fetched", started, f"{url} was fetched and not trusted")

    def _on_url_trusted(self, record: Record, who: tuple[str, str]) -> None:
        url = same_url(record["url"])
        self._told.add((*who, url))
        if record["source"] == "dependency" and url not in self._found_upstream(who):
            self._blame("url.dependency", record, "was found by no task that this one depends on")
        elif record["source"] == "web_search" and not self._is_found(record, who):
            self._blame("url.found", record, "stands in no search result of this actor")

    def _is_found(self, record: Record, who: tuple[str, str]) -> bool:
        """The event comes while the search runs; its result follows."""
        later = (r for r in self._records if r["seq"] > record["seq"] and r["type"] == "tool_finished")
        results = [
            r for r in later if r["name"] == "web_search" and (r.get("plan_id", ""), r.get("task_id", "")) == who
        ]
        url = same_url(record["url"])
        return any(same_url(hit) == url for result in results for hit in HIT.findall(result["content"]))

    def _may_fetch_something(self, who: tuple[str, str]) -> bool:
        has_words = any("://" in words or re.search(r"\w\.\w", words) for words in self._words)
        return has_words or any(self._earlier_finds(who)) or bool(self._found_upstream(who))

    def _may_fetch(self, url: str, who: tuple[str, str]) -> bool:
        wanted = same_url(url)
        known = {*self._earlier_finds(who), *self._found_upstream(who)}
        return wanted is not None and (wanted in known or self._is_typed(url))

    def _earlier_finds(self, who: tuple[str, str]) -> list[str]:
        return [url for url, step in self._finds.get(who, {}).items() if url and step < self._steps.get(who, 0)]

    def _found_upstream(self, who: tuple[str, str]) -> set[str]:
        return {url for name in self._upstream.get(who, []) for url in self._finds.get((who[0], name), {}) if url}

    def _is_typed(self, url: str) -> bool:
        return any(stands_in(url, words) for words in self._words)


# --- plans ------------------------------------------------------------------------------------------------------------


class _Plan:
    """What the events say of one plan so far."""

    def __init__(self, view: Record) -> None:
        self.id: str = view["id"]
        self.goal: str = view["goal"]
        self.tasks: dict[str, Record] = {task["id"]: task for task in view["tasks"]}
        self.order = post_order(self.tasks)
        self.status = {task["id"]: task["status"] for task in view["tasks"]}
        self.result = {task["id"]: task["result"] for task in view["tasks"]}
        self.partial = {task["id"] for task in view["tasks"] if task["is_partial"]}
        self.is_approved = self.is_started = self.is_stopped = False
        self.stopped_by = ""
        """replan | limit | cancel; empty while it runs, and where it came to its own end."""
        self.interrupted = {task["id"] for task in view["tasks"] if task.get("was_interrupted")}
        """Begun by an earlier run, which did not bring them to an end."""
        self.round: list[str] = []
        self.round_number = 0
        self.begun: set[str] = set()

    def is_same(self, view: Record) -> bool:
        """Whether the view shows this plan: goal and tasks, whatever became of them."""
        kept = ("id", "description", "type", "dependencies")
        mine, theirs = ([[task[key] for key in kept] for task in each] for each in (self.tasks.values(), view["tasks"]))
        return (self.id, self.goal, mine) == (view["id"], view["goal"], theirs)

    def stop(self, why: str) -> None:
        self.is_stopped, self.stopped_by = True, why

    @property
    def progress(self) -> float:
        return sum(status == "COMPLETED" for status in self.status.values()) / len(self.tasks)

    def open(self) -> set[str]:
        """Tasks that began, in whatever run, and have no end."""
        return {name for name in self.begun | self.interrupted if self.status.get(name) == "PENDING"}

    def ready(self) -> list[str]:
        return [
            name
            for name in self.order
            if self.status[name] == "PENDING"
            and all(self.status[needed] == "COMPLETED" for needed in self.tasks[name]["dependencies"])
        ]

    def downstream(self, name: str) -> list[str]:
        reached = {name}
        for other in self.order:  # dependencies come first in it
            if reached & set(self.tasks[other]["dependencies"]):
                reached.add(other)
        return [other for other in self.order if other in reached and other != name]

    def upstream(self, name: str) -> list[str]:
        reached, open_names = set[str](), list(self.tasks[name]["dependencies"])
        while open_names:
            needed = open_names.pop()
            if needed not in reached:
                reached.add(needed)
                open_names += self.tasks[needed]["dependencies"]
        return [other for other in self.order if other in reached]


def post_order(tasks: dict[str, Record]) -> list[str]:
    """Depth first along dependencies, begun in insertion order, dependencies in declared order. Cycles are left out."""
    order: list[str] = []
    seen: set[str] = set()
    for name in tasks:
        stack: list[tuple[str, int]] = [(name, 0)]
        while stack:
            current, position = stack.pop()
            if position == 0:
                if current in seen:
                    continue
                seen.add(current)
            needs = [needed for needed in tasks[current]["dependencies"] if needed in tasks]
            if position < len(needs):
                stack += [(current, position + 1), (needs[position], 0)]
            else:
                order.append(current)
    return order


def has_cycle(tasks: dict[str, Record]) -> bool:
    left = {name: set(task["dependencies"]) for name, task in tasks.items()}
    while free := [name for name, needs in left.items() if not needs & set(left)]:
        for name in free:
            del left[name]
    return bool(left)


class _Remains(NamedTuple):
    """What a later turn may go on with."""

    plan: _Plan | None = None
    replaced: tuple[_Plan, ...] = ()
    replans: int = 0
    was_approved: bool = False
    urls: tuple[tuple[str, tuple[str, ...]], ...] = ()


class _Left:
    """What the turns so far left of the plan that was made last; empty where it came to its end."""

    def __init__(self) -> None:
        self.now = _Remains()
        self._before: dict[str, _Remains] = {}

    def begin(self, turn_id: str) -> None:
        self._before[turn_id] = self.now

    def hear(self, records: list[Record]) -> None:
        """What stands between turns."""
        for record in records:
            match record["type"]:
                case "plan_abandoned" if self.now.plan is not None and self.now.plan.id == record["plan"]:
                    self.now = _Remains()
                case "conversation_cleared":
                    self.now = _Remains()
                case "conversation_rewound":
                    self.now = self._before.get(record["before_turn"], self.now)
                case _:
                    pass


class _Turn:
    """One turn's events, replayed."""

    def __init__(self, records: list[Record], left: _Left) -> None:
        self._records = records
        self._left = left
        self._has_ended = any(record["type"] == "turn_finished" for record in records)
        self._standing: _Plan | None = None
        """Made last; after plan_finished the one that it is about."""
        self._made_last = self._ending = ""
        self._is_refused = False
        self._was_approved = False
        """The plan that stands was approved in an earlier turn."""
        self._found: list[Violation] = []
        self._plans: dict[str, _Plan] = {}
        self._replaced: list[_Plan] = []
        self._replies: dict[str, str] = {}
        self._expected: list[tuple[str, str, str]] = []
        """(event type, task or "", what) that the decision after the last round demands, in order."""
        self._replans = 0
        self._ran: _Plan | None = None
        self._urls: dict[tuple[str, str], list[str]] = {}
        self._told: set[tuple[str, str]] = set()
        self._said: dict[tuple[str, str], str] = {}
        """(plan, task) → its last reply."""
        self._announced: dict[tuple[str, str], int] = {}
        """(plan, task) → messages of the house that events announced."""
        self._unexplained: dict[tuple[str, str], int] = {}
        """(plan, task) → the event of a message that no event has explained yet."""
        self._rewritten: dict[tuple[str, str], int] = {}
        self._asked: dict[str, str] = {}
        """Question that waits for an answer → the plan that it shows."""
        self._revised = self._feedback = ""
        """The plan that the person wants changed, and how."""
        self._due_progress = 0.0
        """When the failure that decides was looked at."""
        self._said_limit: int | None = None
        self._last_seen = {(r.get("plan_id"), r.get("task_id")): r["seq"] for r in records if r["type"] not in ENDED}

    def check(self) -> list[Violation]:
        self._left.begin(self._records[0]["turn_id"])
        if self._records[0]["type"] != "turn_started":
            raise Unjudgeable(f"event {self._records[0]['seq']} belongs to a turn whose beginning is missing")
        kinds = [record["type"] for record in self._records]
        for record, before in zip(self._records[1:], kinds, strict=False):
            if record["type"] == "turn_started" or before == "turn_finished":
                self._blame("turn.order", record["seq"], "the turn begins twice, or goes on after its end")
        try:
            for record in self._records:
                self._take(record)
        except _Nonsense:
            return self._found
        if self._expected and self._has_ended:  # a turn that a crash cut owes nothing
            self._blame("decision", self._records[-1]["seq"], f"{self._expected[0]} did not come")
        for (_, name), seq in self._unexplained.items() if self._has_ended else ():
            self._blame("task.context", seq, f"{name} was told more than it should be")
        if self._standing is not None:
            self._left.now = self._remains(self._standing)
        return self._found

    def _remains(self, plan: _Plan) -> _Remains:
        is_only_made = self._records[0].get("kind") == "plan_only"
        is_done = bool(self._ending) and self._ending not in OPEN_ENDINGS
        if self._is_refused or (self._has_ended and (is_done or is_only_made)):
            return _Remains()
        ran = () if self._ran is None or self._ran is plan else (self._ran,)
        is_last = plan.id == self._made_last
        done = [name for name in plan.order if plan.status[name] == "COMPLETED"] if is_last else []
        return _Remains(
            plan,
            (*self._replaced, *ran),
            self._replans,
            plan.is_approved or self._was_approved,
            tuple((name, tuple(self._urls.get((plan.id, name), ()))) for name in done),
        )

    def _blame(self, rule: str, seq: int, what: str) -> None:
        self._found.append(Violation(rule, seq, what))

    def _plan(self, record: Record) -> _Plan:
        plan = self._plans.get(record.get("plan_id", ""))
        if plan is None:
            raise Unjudgeable(f"event {record['seq']} ({record['type']}) belongs to a plan that was never created")
        return plan

    def _take(self, record: Record) -> None:
        kind = record["type"]
        if self._expected and kind in DECISIONS:
            self._meet_expectation(record)
        elif kind in DECIDED:
            self._blame("decision", record["seq"], f"{kind} came and nothing was due")
        if record.get("task_id"):
            self._check_at_work(record)
        handler = getattr(self, f"_on_{kind}", None)
        if handler is not None:
            handler(record)

    def _meet_expectation(self, record: Record) -> None:
        wanted = self._expected.pop(0)
        got = (record["type"], record.get("task_id", ""), str(record.get("cause_task_id", "")))
        if got != wanted:
            self._blame("decision", record["seq"], f"{got} came where {wanted} was due")
            self._expected.clear()

    def _check_at_work(self, record: Record) -> None:
        """A task says and does something only between its start and its end, in its round."""
        kind, seq, name = record["type"], record["seq"], record["task_id"]
        where = (record.get("plan_id", ""), name)
        if (unexplained := self._unexplained.pop(where, None)) is not None and kind != "skill_loaded":
            self._blame("task.context", unexplained, f"{name} was told more than it should be")
        if kind in WORK:
            plan = self._plan(record)
            if name not in plan.begun or name not in plan.round or plan.status[name] != "PENDING":
                self._blame("task.at_work", seq, f"{name} works before its start or after its end")
        if kind in {*WORK, *ENDED} - {"task_skipped"} and record.get("round") != self._plan(record).round_number:
            self._blame("round.number", seq, f"is {record.get('round')}, should be {self._plan(record).round_number}")
        if kind == "model_request_started" and record.get("actor") == name and where not in self._told:
            self._told.add(where)
            self._blame("task.context", seq, f"{name} was asked before it was told anything")
        if kind in ANNOUNCING:
            self._announced[where] = self._announced.get(where, 0) + len(record.get("texts", "1"))
        if kind == "compaction_finished" and record.get("actor") == name:
            self._rewritten[where] = record.get("message_count", 0)

    def _on_model_reply_received(self, record: Record) -> None:
        if record.get("actor") == "planner":
            self._replies[record["plan_id"]] = record["response"]["content"]
        elif record.get("task_id") and record.get("actor") == record["task_id"]:
            self._said[record["plan_id"], record["task_id"]] = record["response"]["content"]

    def _on_url_trusted(self, record: Record) -> None:
        if record["source"] == "web_search":
            self._urls.setdefault((record.get("plan_id", ""), record.get("task_id", "")), []).append(record["url"])

    def _on_plan_created(self, record: Record) -> None:
        view, seq = record["view"], record["seq"]
        before = len(self._found)
        names = [task["id"] for task in view["tasks"]]
        if names != [f"task_{number}" for number in range(1, len(names) + 1)] or not 1 <= len(names) <= MAX_TASKS:
            self._blame("plan.numbering", seq, f"tasks are {names}")
        tasks = {task["id"]: task for task in view["tasks"]}
        for task in view["tasks"]:
            if not task["description"].strip() or task["type"] not in TYPES:
                self._blame("plan.valid", seq, f"{task['id']} lacks a description or has an unknown type")
            needs = task["dependencies"]
            if not set(needs) <= set(tasks) or len(set(needs)) < len(needs):
                self._blame("plan.valid", seq, f"{task['id']} depends on {task['dependencies']}")
        if has_cycle(tasks):
            self._blame("plan.acyclic", seq, "dependencies form a cycle")
        if len(self._found) > before:
            raise _Nonsense
        plan = _Plan(view)
        self._check_cause(plan, record)
        self._plans[plan.id] = self._standing = plan
        self._made_last, self._ending, self._is_refused, self._was_approved = plan.id, "", False, False
        if list(view["order"]) != plan.order:
            self._blame("plan.order", seq, f"order is {view['order']}, should be {plan.order}")
        reply = self._replies.get(plan.id)
        if record["cause"] == "file":
            return
        if record["cause"] == "resume":
            self._go_on(plan, seq)
            return
        if set(plan.status.values()) != {"PENDING"} or plan.interrupted:
            self._blame("plan.fresh", seq, "a new plan has tasks that ran before")
        if reply is None:
            raise Unjudgeable(f"no planner's reply before plan_created at {seq}")
        self._compare_with_reply(plan, reply, seq)

    def _check_cause(self, plan: _Plan, record: Record) -> None:
        """What the plan was made for, and that its goal is the person's."""
        first, cause = self._records[0], record["cause"]
        before = self._standing
        if self._revised:
            wanted, goal = "feedback", f"{before.goal if before else ''}\n补充要求:{self._feedback}"
        elif self._ran is not None:
            wanted, goal = "replan", self._ran.goal
            if self._ran.stopped_by != "replan":
                self._blame("replan.without_trigger", record["seq"], "a new plan comes though nothing triggered it")
        elif first["kind"] in {"plan_file", "plan_resume"}:
            wanted, goal = first["kind"].removeprefix("plan_"), plan.goal
        else:
            wanted, goal = "goal", first["text"]
        if cause != wanted:
            self._blame("plan.cause", record["seq"], f"is {cause}, should be {wanted}")
        elif plan.goal != goal:
            self._blame("plan.goal", record["seq"], f"is {plan.goal!r}, should be {goal!r}")
        self._revised = ""

    def _compare_with_reply(self, plan: _Plan, reply: str, seq: int) -> None:
        try:
            wanted = tasks_in(reply)
        except (ValueError, RecursionError) as error:
            self._blame("plan.from_reply", seq, f"the planner's reply is no plan: {error}")
            return
        got = [(task["description"], task["type"], list(task["dependencies"])) for task in plan.tasks.values()]
        if got != wanted:
            self._blame("plan.from_reply", seq, "the plan is not the one that was replied")

    def _go_on(self, plan: _Plan, seq: int) -> None:
        """A plan that an earlier turn left: the same tasks, what is completed as it was, the rest from the start."""
        left = self._left.now
        if left.plan is None:
            self._blame("resume.nothing", seq, "no plan was left unfinished")
            return
        old = left.plan
        same = ("description", "type", "dependencies")
        shapes = [{name: [task[key] for key in same] for name, task in each.tasks.items()} for each in (old, plan)]
        if shapes[0] != shapes[1] or old.goal != plan.goal:
            self._blame("resume.plan", seq, f"is not {old.id}, which was left")
            raise _Nonsense
        for name in plan.order:
            wanted = "COMPLETED" if old.status[name] == "COMPLETED" else "PENDING"
            if plan.status[name] != wanted:
                self._blame("resume.completed", seq, f"{name} is {plan.status[name]}, should be {wanted}")
            elif wanted == "COMPLETED" and plan.result[name] != old.result[name]:
                self._blame("resume.result", seq, f"the result of {name} is not the one that it gave")
            elif wanted == "COMPLETED" and (name in plan.partial) != (name in old.partial):
                self._blame("resume.result", seq, f"whether {name} is partial is not as it was")
        if plan.interrupted != old.open():
            self._blame("resume.interrupted", seq, f"names {sorted(plan.interrupted)}, should be {sorted(old.open())}")
        plan.interrupted = old.open()
        self._replaced, self._replans, self._was_approved = list(left.replaced), left.replans, left.was_approved
        for name, urls in left.urls:
            self._urls[plan.id, name] = list(urls)

    def _on_plan_rejected(self, record: Record) -> None:
        if (record["cause"] == "feedback") != bool(self._revised):
            self._blame("plan.cause", record["seq"], f"a plan is refused for {record['cause']}, which is not at hand")
        reply = self._replies.get(record.get("plan_id", ""))
        if reply is None:
            return  # nobody answered
        try:
            tasks_in(reply)
        except (ValueError, RecursionError):
            return
        self._blame("plan.rejected", record["seq"], "the planner's reply is a plan, and was refused")

    def _on_plan_review_requested(self, record: Record) -> None:
        plan = self._plan(record)
        self._asked[record["request_id"]] = plan.id
        if not plan.is_same(record["view"]):
            self._blame("review.shown", record["seq"], f"shows something else than {plan.id}")

    def _on_plan_reviewed(self, record: Record) -> None:
        plan, seq, decision = self._plan(record), record["seq"], record["decision"]
        plan.is_approved = decision == "execute"
        if plan.is_approved and record["by"] not in {"user", "option"}:
            plan.is_approved = False  # blamed where it starts
        self._revised = plan.id if decision == "revise" and record["feedback"].strip() else ""
        self._feedback = record["feedback"]
        if decision == "cancel":
            self._refuse(plan)
        # That a person goes on with a plan is its review where one was held before; else there must be one.
        is_known = self._was_approved and not record["request_id"]
        if not is_known and self._asked.pop(record["request_id"], "") != plan.id:
            self._blame("review.shown", seq, f"{plan.id} was decided on without having been shown")

    def _refuse(self, plan: _Plan) -> None:
        """A replan that is refused leaves the plan that it was to replace; another leaves nothing."""
        before = [*self._replaced, *([self._ran] if self._ran is not None else [])]
        self._is_refused = not before
        self._standing = before[-1] if before else plan
        if before and self._ran is None:
            self._replaced, self._was_approved = before[:-1], True

    def _on_plan_started(self, record: Record) -> None:
        plan, seq = self._plan(record), record["seq"]
        if not plan.is_approved:
            self._blame("review.before_run", seq, f"{plan.id} starts without having been approved")
        if self._ran is not None and self._ran.stopped_by != "replan":
            self._blame("replan.without_trigger", seq, "another plan starts though nothing triggered it")
        if not plan.is_same(record["view"]):
            self._blame("plan.same", seq, f"starts as something else than {plan.id}")
        if self._ran is not None:
            self._replaced.append(self._ran)
        plan.is_started, self._ran = True, plan

    def _on_round_started(self, record: Record) -> None:
        plan, seq = self._plan(record), record["seq"]
        if plan.is_stopped or not plan.is_started:
            self._blame("stop.no_start", seq, "a round starts after the plan was stopped, or before it began")
        if plan.round:
            self._blame("round.barrier", seq, "the round before it was not committed")
        ready = plan.ready()
        if list(record["task_ids"]) != ready:
            self._blame("round.ready", seq, f"holds {record['task_ids']}, ready are {ready}")
        if record.get("round") != plan.round_number + 1:
            self._blame("round.number", seq, f"is {record.get('round')}, should be {plan.round_number + 1}")
        plan.round, plan.round_number = list(record["task_ids"]), plan.round_number + 1

    def _on_task_started(self, record: Record) -> None:
        plan, seq, name = self._plan(record), record["seq"], record["task_id"]
        if name not in plan.round or name in plan.begun or record.get("round") != plan.round_number:
            self._blame("task.in_round", seq, f"{name} starts outside its round, or twice")
        unmet = [n for n in plan.tasks.get(name, {"dependencies": []})["dependencies"] if plan.status[n] != "COMPLETED"]
        if unmet:
            self._blame("task.dependencies", seq, f"{name} starts before {', '.join(unmet)} completed")
        if plan.is_stopped:
            self._blame("stop.no_start", seq, f"{name} starts after the stop")
        beside = [other for other in plan.begun & set(plan.round) if self._last_seen[(plan.id, other)] > seq]
        if len(beside) >= MAX_PARALLEL:
            self._blame("round.size", seq, f"{name} runs beside {len(beside)} others")
        if record["is_alone"] != (len(plan.round) == 1):
            self._blame("task.alone", seq, f"{name} says is_alone={record['is_alone']} in a round of {len(plan.round)}")
        told = (plan.tasks[name]["description"], name) if name in plan.tasks else None
        if (record["description"], record.get("actor")) != told:
            self._blame("plan.same", seq, f"{name} starts as something else than it is")
        plan.begun.add(name)

    def _on_message_appended(self, record: Record) -> None:
        name = record.get("task_id", "")
        if not name:
            return
        plan, content = self._plan(record), record["message"]["content"]
        where = (plan.id, name)
        if self._rewritten.get(where, 0) > 0:
            self._rewritten[where] -= 1
        elif record["message"]["type"] != "user_message":
            is_reply = record["message"]["type"] == "assistant_message" and not _is_break(record["message"])
            if is_reply and content != self._said.get(where, content):
                self._blame("task.result", record["seq"], f"{name} is noted with another reply than it gave")
        elif where not in self._told:
            self._told.add(where)
            if not re.fullmatch(self._context(plan, name), content, flags=re.DOTALL):
                self._blame("task.context", record["seq"], f"{name} was not told exactly what it should be")
        elif self._announced.get(where, 0) > 0:
            self._announced[where] -= 1
        else:
            self._unexplained[where] = record["seq"]  # a skill's body, if that is what comes next

    def _context(self, plan: _Plan, name: str) -> str:
        """A pattern: of a result that is too large only head and tail are known."""
        task = plan.tasks[name]
        lines = [f"总目标:{plan.goal}", f"当前任务:{task['description']}"]
        lines += [INTERRUPTED] if name in plan.interrupted else []
        shown: list[tuple[_Plan, str]] = [(plan, needed) for needed in task["dependencies"]]
        if shown:
            lines.append("依赖任务结果:")
        else:
            lines.append("依赖任务:无")
            shown = [(old, n) for old in self._replaced for n in old.order if old.status[n] == "COMPLETED"]
            if shown:
                lines.append("此前计划已完成:")
        patterns = [re.escape(line) for line in lines]
        for owner, needed in shown:
            patterns.append(re.escape(f"- {needed} / {owner.tasks[needed]['description']} / 状态=COMPLETED"))
            result = owner.result[needed]
            if len(result) > WHOLE_RESULT:
                patterns.append(f"{re.escape(result[:HEAD])}\n…\n[^\n]*\n…\n{re.escape(result[-TAIL:])}")
            elif result.strip():
                patterns.append(re.escape(result))
        urls = list(dict.fromkeys(u for n in plan.upstream(name) for u in self._urls.get((plan.id, n), [])))
        if urls:
            patterns.append("依赖分支经 web_search 验证的 URL:")
            patterns += [re.escape(f"- {url}") for url in urls]
        return "\n".join([*patterns, re.escape(CLOSING)])

    def _on_task_completed(self, record: Record) -> None:
        plan, name, result = self._plan(record), record["task_id"], record["result"]
        if not self._ends(record, plan, "COMPLETED"):
            return
        plan.result[name] = result
        said = self._said.get((plan.id, name), "" if record["is_partial"] else result)
        if record["is_partial"]:
            plan.partial.add(name)
        if not (result.rstrip().endswith(said.strip()) if record["is_partial"] else result == said):
            self._blame("task.result", record["seq"], f"{name} comes to something else than its last reply")

    def _on_task_failed(self, record: Record) -> None:
        self._ends(record, self._plan(record), "FAILED")

    def _on_task_interrupted(self, record: Record) -> None:
        plan = self._plan(record)
        if record["task_id"] not in plan.open():
            self._blame("status.legal", record["seq"], f"{record['task_id']} is interrupted and did not run")
        plan.stop("cancel")

    def _ends(self, record: Record, plan: _Plan, status: str) -> bool:
        name, seq = record["task_id"], record["seq"]
        if plan.status.get(name) != "PENDING" or name not in plan.begun or name not in plan.round:
            self._blame("status.legal", seq, f"{name} becomes {status} from {plan.status.get(name)}")
            return False
        done = [other for other in plan.order if other in plan.round and plan.status[other] in {"COMPLETED", "FAILED"}]
        if done and plan.order.index(done[-1]) > plan.order.index(name):
            self._blame("commit.order", seq, f"{name} is committed after {done[-1]}")
        plan.status[name] = status
        return True

    def _on_task_skipped(self, record: Record) -> None:
        plan, name = self._plan(record), record["task_id"]
        if plan.status.get(name) != "PENDING":
            self._blame("status.legal", record["seq"], f"{name} becomes SKIPPED from {plan.status.get(name)}")
            return
        plan.status[name] = "SKIPPED"

    def _on_round_committed(self, record: Record) -> None:
        plan, seq = self._plan(record), record["seq"]
        if record.get("round") != plan.round_number:
            self._blame("round.number", seq, f"is {record.get('round')}, should be {plan.round_number}")
        for status, listed in (("COMPLETED", record["completed"]), ("FAILED", record["failed"])):
            actual = [name for name in plan.order if name in plan.round and plan.status[name] == status]
            if list(listed) != actual:
                self._blame("round.committed", seq, f"lists {listed} as {status}, events say {actual}")
        if abs(record["progress"] - plan.progress) > 1e-9:
            self._blame("progress", seq, f"is {record['progress']}, should be {plan.progress}")
        open_tasks = [name for name in plan.round if plan.status[name] == "PENDING"]
        if open_tasks:
            self._blame("round.barrier", seq, f"{', '.join(open_tasks)} not ended")
        self._decide(plan)
        plan.round = []

    def _decide(self, plan: _Plan) -> None:
        """What 4.3 demands after this round, computed anew."""
        status = {name: plan.status[name] for name in plan.order}
        counted = sum(status[n] == "COMPLETED" for n in plan.order if n not in plan.round)
        self._expected = []
        for name in plan.order:
            if name not in plan.round:
                continue
            if status[name] == "COMPLETED":
                counted += 1
                continue
            self._due_progress = counted / len(plan.tasks)
            if self._due_progress < 0.5:
                if self._limit() is None:
                    return
                if self._replans < (self._limit() or 0):
                    self._expected = [("replan_triggered", "", "")]
                else:
                    left = [other for other in plan.order if status[other] == "PENDING"]
                    self._expected = [("replan_limit_reached", "", ""), *(("task_skipped", n, "") for n in left)]
                return
            for other in plan.downstream(name):
                if status[other] == "PENDING":
                    status[other] = "SKIPPED"
                    self._expected.append(("task_skipped", other, name))

    def _limit(self) -> int | None:
        for record in self._records:
            if record["type"] in {"replan_triggered", "replan_limit_reached"}:
                return int(record["limit"])
            if record["type"] == "plan_finished":
                return int(record["report"]["replan_limit"])
        return None

    def _on_replan_triggered(self, record: Record) -> None:
        plan, seq = self._plan(record), record["seq"]
        self._replans += 1
        if record["number"] != self._replans or self._replans > record["limit"]:
            self._blame("replan.limit", seq, f"is number {record['number']} of {record['limit']}")
        failed = [name for name in plan.order if plan.status[name] == "FAILED"]
        if list(record["failed_task_ids"]) != failed or not failed:
            self._blame("replan.cause", seq, f"names {record['failed_task_ids']}, failed are {failed}")
        self._check_replan_figures(record)
        plan.stop("replan")

    def _check_replan_figures(self, record: Record) -> None:
        if record["progress"] >= 0.5 or abs(record["progress"] - self._due_progress) > 1e-9:
            self._blame("replan.progress", record["seq"], f"is {record['progress']}, should be {self._due_progress}")
        self._check_limit(record["limit"], record["seq"])

    def _check_limit(self, limit: int, seq: int) -> None:
        """One limit holds for a turn."""
        if self._said_limit not in {None, limit}:
            self._blame("replan.limit", seq, f"says {limit}, before it was {self._said_limit}")
        self._said_limit = limit

    def _on_replan_limit_reached(self, record: Record) -> None:
        plan = self._plan(record)
        if self._replans < record["limit"]:
            self._blame("replan.limit", record["seq"], f"reached after {self._replans} of {record['limit']}")
        self._check_replan_figures(record)
        plan.stop("limit")

    def _on_plan_finished(self, record: Record) -> None:
        plan, seq, report = self._plan(record), record["seq"], record["report"]
        if plan is not self._ran:
            self._blame("summary", seq, "is about a plan that did not run last")
        self._check_limit(report["replan_limit"], seq)
        self._check_ending(plan, report["ending"], seq)
        self._compare_with_report(plan, report["plan"], seq)
        if [view["id"] for view in report["earlier"]] != [each.id for each in self._replaced]:
            self._blame("summary", seq, "does not name the plans that were replaced")
        for old, view in zip(self._replaced, report["earlier"], strict=False):
            self._compare_with_report(old, view, seq)
        ran_here = [each for each in (*self._replaced, plan) if each.id in self._plans]
        if report["rounds"] != sum(each.round_number for each in ran_here):
            self._blame("summary", seq, f"counts {report['rounds']} rounds")
        plan.is_stopped = True
        self._standing, self._ending = plan, report["ending"]

    def _check_ending(self, plan: _Plan, ending: str, seq: int) -> None:
        """How it says that it ended is how it did, and it ended only when nothing was left to start."""
        statuses, is_over = set(plan.status.values()), not plan.stopped_by and not plan.ready()
        is_done = is_over and statuses == {"COMPLETED"}
        holds = {
            "completed": is_done and not plan.partial,
            "partial": is_over and ("FAILED" in statuses or (is_done and bool(plan.partial))),
            "stuck": is_over and not is_done and "FAILED" not in statuses,
            "replan_limit": plan.stopped_by == "limit",
            "replan_failed": plan.stopped_by == "replan",
            "replan_cancelled": plan.stopped_by == "replan",
            "cancelled": plan.stopped_by in {"", "cancel"},  # the turn's end says whether it was
        }
        if not holds.get(ending, True):
            self._blame("ending", seq, f"says {ending}, but {plan.status}, stopped by {plan.stopped_by or 'nothing'}")

    def _compare_with_report(self, plan: _Plan, view: Record, seq: int) -> None:
        if not plan.is_same(view):
            self._blame("summary", seq, f"is about something else than {plan.id}")
            return
        for task in view["tasks"]:
            name, expected = task["id"], plan.status[task["id"]]
            # what was handed out when the cancel came has no end
            actual = "PENDING" if plan.stopped_by in {"", "cancel"} and task["status"] == "RUNNING" else task["status"]
            if actual != expected:
                self._blame("summary", seq, f"{name} is {task['status']}, events say {expected}")
            elif expected == "COMPLETED" and task["result"] != plan.result[name]:
                self._blame("summary", seq, f"the result of {name} is not the one it gave")
            elif expected == "COMPLETED" and task["is_partial"] != (name in plan.partial):
                self._blame("summary", seq, f"says is_partial={task['is_partial']} of {name}")

    def _on_turn_finished(self, record: Record) -> None:
        plan, seq, status = self._ran, record["seq"], record["status"]
        if plan is None or (status == "cancelled" and not (self._ending and record["text"])):
            return
        if not self._ending:
            raise Unjudgeable(f"the turn ended at {seq} without plan_finished")
        if status != TURN_STATUS.get(self._ending, status) and status != "failed":
            self._blame("ending", seq, f"the turn says {status}, its plan {self._ending}")
        is_all = self._ending != "completed"
        needed = {name for task in plan.tasks.values() for name in cast(list[str], task["dependencies"])}
        for each in (*(self._replaced if is_all else ()), plan):
            for name in each.order:
                must_stand = each.status[name] == "COMPLETED" and (is_all or name not in needed)
                if must_stand and each.result[name].strip() and each.result[name].strip() not in record["text"]:
                    self._blame("summary", seq, f"the result of {name} is missing in the turn's text")
        for name in plan.order:
            if plan.status[name] in {"FAILED", "SKIPPED"} and status != "cancelled" and name not in record["text"]:
                self._blame("summary", seq, f"{name} is {plan.status[name]} and not named in the turn's text")


TURN_STATUS = {
    "completed": "completed",
    "partial": "partial",
    "replan_limit": "partial",
    "replan_failed": "failed",
    "replan_cancelled": "cancelled",
    "cancelled": "cancelled",
    "stuck": "failed",
}
"""What a plan's ending makes of its turn."""
DECIDED = {"replan_triggered", "replan_limit_reached", "task_skipped"}
"""Come only where 4.3 demands them."""
WORK = {"message_appended", "model_request_started", "tool_started"}
ANNOUNCING = {"repetition_noticed", "budget_exhausted", "diagnostics_found", "queue_taken"}
"""Each is followed by a message that no reply asked for."""
DECISIONS = {"replan_triggered", "replan_limit_reached", "task_skipped", "round_started", "plan_finished"}


def tasks_in(reply: str) -> list[tuple[str, str, list[str]]]:
    """Description, type and dependencies of each task that a planner's reply states. Raises ValueError for no plan."""
    value: Any = json.loads(_bare(reply), object_pairs_hook=_distinct, parse_constant=_no_number, parse_int=float)
    written: Any = cast(Record, value).get("tasks") if isinstance(value, dict) else None
    if not isinstance(written, list) or not written or len(cast(list[Any], written)) > MAX_TASKS:
        raise ValueError("no tasks, or too many")
    tasks: dict[str, Record] = {}
    for stated in cast(list[Any], written):
        task = cast(Record, stated) if isinstance(stated, dict) else {}
        if not _is_text(task.get("id")) or not _is_text(task.get("description")):
            raise ValueError("a task lacks an id or a description")
        if not isinstance(task.setdefault("dependencies", []), list) or task["id"] in tasks:
            raise ValueError("dependencies are no list, or an id comes again")
        tasks[task["id"]] = task
    if any(not isinstance(name, str) or name not in tasks for task in tasks.values() for name in task["dependencies"]):
        raise ValueError("a dependency is no task")
    if has_cycle(tasks):
        raise ValueError("dependencies form a cycle")
    number = {name: f"task_{position}" for position, name in enumerate(tasks, 1)}
    return [
        (task["description"], _type_of(task), [number[name] for name in dict.fromkeys(task["dependencies"])])
        for task in tasks.values()
    ]


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _distinct(pairs: list[tuple[str, Any]]) -> Record:
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a key comes again")
    return dict(pairs)


def _no_number(constant: str) -> float:
    raise ValueError(f"{constant} is no JSON")


def _type_of(task: Record) -> str:
    kind = task.get("type")
    return kind.upper() if isinstance(kind, str) and kind.upper() in TYPES else "ANALYSIS"


_BLANK = r"[\s\ufeff]*"
_WRAPPED = re.compile(rf"{_BLANK}(?:<think>.*?</think>)?{_BLANK}(.*?){_BLANK}", re.DOTALL)
_FENCED = re.compile(rf"```(?:json)?(?=\s|[{{\[\"]){_BLANK}(.*?){_BLANK}```", re.DOTALL | re.IGNORECASE)


def _bare(reply: str) -> str:
    """Without BOM, a leading think block and one surrounding fence."""
    wrapped = _WRAPPED.fullmatch(reply)
    text = wrapped[1] if wrapped else reply
    fenced = _FENCED.fullmatch(text)
    return fenced[1] if fenced else text


def main(arguments: list[str]) -> int:
    """Prints the verdict; returns the exit status."""
    as_json = "--json" in arguments
    paths = [argument for argument in arguments if argument != "--json"]
    if len(paths) != 1:
        print("usage: e1_replay.py JOURNAL [--json]", file=sys.stderr)
        return 2
    try:
        violations = check(read_journal(Path(paths[0]).read_text(encoding="utf-8", errors="replace")))
    except (Unjudgeable, OSError) as error:
        print(json.dumps({"verdict": "unjudgeable", "why": str(error)}) if as_json else f"can't be judged: {error}")
        return 2
    if as_json:
        listed = [violation._asdict() for violation in violations]
        print(json.dumps({"verdict": "violated" if violations else "ok", "violations": listed}, ensure_ascii=False))
    else:
        for violation in violations:
            print(f"{violation.seq}\t{violation.rule}\t{violation.what}")
        print(f"{len(violations)} violation(s)" if violations else "no violation")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
