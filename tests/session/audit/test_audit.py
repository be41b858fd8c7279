import json
import multiprocessing
import os
import stat
from pathlib import Path

import pytest

from paicli.core.event_stream import EventStream
from paicli.core.events import (
    ApprovalDecided,
    ApprovalRequested,
    CommandReviewed,
    EventBody,
    Origin,
    SessionFinished,
    ToolFinished,
    ToolStarted,
    TurnFinished,
    TurnStatus,
)
from paicli.core.masking import SecretMasker
from paicli.core.messages import CommandRun, ToolEffect, ToolOutcome
from paicli.core.ops import ApprovalDecision
from paicli.session.audit.log import AuditLog
from paicli.session.audit.reading import audit_files, last_entries
from paicli.session.audit.record import AuditEntry, as_line, from_line
from paicli.session.folder import session_start
from tests.patience import PATIENCE_S

NOON = 1_796_040_000.25  # 2026-11-30T12:00:00.250Z
EFFECTS = {
    "read_file": ToolEffect.READ,
    "todo_write": ToolEffect.SESSION,
    "save_memory": ToolEffect.SESSION,
    "write_file": ToolEffect.WRITE,
    "execute_command": ToolEffect.EXECUTE,
    "web_fetch": ToolEffect.NETWORK,
}
TASK = Origin("turn_1", "task_1", "plan_1", 1, "task_1")


class Bench:
    """An audit behind a stream whose clock is set by hand."""

    def __init__(self, folder: Path, secrets: tuple[str, ...] = ()) -> None:
        self.folder = folder
        self.now = NOON
        self.faults: list[str] = []
        masker = SecretMasker(secrets)
        self.stream = EventStream("20261130-110000-abc", clock=lambda: self.now, masker=masker)
        log = AuditLog(
            folder,
            project="/w/p",
            effect_of=EFFECTS.get,
            masker=masker,
            on_fault=lambda path, error: self.faults.append(f"{path.name} {error.errno}"),
        )
        self.stream.subscribe(log)

    def tell(self, *bodies: EventBody, origin: Origin = TASK) -> None:
        for body in bodies:
            self.stream.publish(body, origin)

    def records(self) -> list[dict[str, object]]:
        return [json.loads(raw) for file in audit_files(self.folder) for raw in file.read_text().splitlines()]


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "home" / "audit")


def started(name: str, call_id: str = "c1", **arguments: object) -> ToolStarted:
    return ToolStarted(call_id, name, json.dumps(arguments))


def finished(name: str, outcome: ToolOutcome = ToolOutcome.OK, *, call_id: str = "c1", by: str = "") -> ToolFinished:
    return ToolFinished(call_id, name, outcome, "said", None, 1.23456, decided_by=by)


def test_a_call_leaves_one_line_with_all_there_is_to_know(bench: Bench) -> None:
    bench.tell(
        started("write_file", path="a.py", content="x"),
        finished("write_file", by="mode")._replace(files_written=("a.py",)),
    )
    assert bench.records() == [
        {
            "time": "2026-11-30T12:00:00.250Z",
            "session": "20261130-110000-abc",
            "turn": "turn_1",
            "actor": "task_1",
            "tool": "write_file",
            "arguments": {"path": "a.py", "content": "x"},
            "decision": "allowed",
            "by": "mode",
            "outcome": "ok",
            "duration_s": 1.235,
            "files": ["a.py"],
            "project": "/w/p",
        }
    ]
    file = bench.folder / "audit-2026-11-30.jsonl"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(bench.folder.stat().st_mode) == 0o700


def test_what_later_sessions_will_be_told_is_recorded(bench: Bench) -> None:
    bench.tell(started("save_memory", text="use tabs"), finished("save_memory", by="mode"))
    assert [(r["tool"], r["by"], r["arguments"]) for r in bench.records()] == [
        ("save_memory", "mode", {"text": "use tabs"})
    ]


def test_what_reads_or_changes_the_session_alone_is_left_out_and_what_nobody_knows_is_not(bench: Bench) -> None:
    for name in (*EFFECTS, "mcp__x__y"):
        bench.tell(started(name), finished(name))
    left_out = {"read_file", "todo_write"}
    assert [record["tool"] for record in bench.records()] == [*(n for n in EFFECTS if n not in left_out), "mcp__x__y"]


@pytest.mark.parametrize(
    ("told", "outcome", "decision", "by", "reason"),
    [
        ((CommandReviewed("c1", "x", True, "", "plain_reading"),), ToolOutcome.OK, "allowed", "plain_reading", None),
        (
            (CommandReviewed("c1", "x", False, "deletes", "reviewer"),),
            ToolOutcome.DENIED,
            "denied",
            "reviewer",
            "deletes",
        ),
        (
            (
                CommandReviewed("c1", "x", False, "deletes", "reviewer"),
                ApprovalRequested("r1", "c1", "execute_command", "{}"),
                ApprovalDecided("r1", ApprovalDecision.ALLOW),
            ),
            ToolOutcome.FAILED,
            "allowed",
            "user",
            None,
        ),
        (
            (
                ApprovalRequested("r1", "c1", "execute_command", "{}"),
                ApprovalDecided("r1", ApprovalDecision.DENY, "not now"),
            ),
            ToolOutcome.DENIED,
            "denied",
            "user",
            "not now",
        ),
        (
            (
                ApprovalRequested("r1", "c1", "execute_command", "{}"),
                ApprovalDecided("r1", ApprovalDecision.DENY, by="nobody"),
            ),
            ToolOutcome.DENIED,
            "denied",
            "nobody",
            None,
        ),
        ((), ToolOutcome.FAILED, "none", None, None),
    ],
)
def test_the_decision_names_who_took_it(
    bench: Bench, told: tuple[EventBody, ...], outcome: ToolOutcome, decision: str, by: str | None, reason: str | None
) -> None:
    bench.tell(started("execute_command", command="x"), *told, finished("execute_command", outcome))
    (record,) = bench.records()
    assert (record["decision"], record.get("by"), record.get("reason")) == (decision, by, reason)
    assert record["outcome"] == outcome.value


def test_what_the_gate_says_counts_more_than_what_was_heard(bench: Bench) -> None:
    bench.tell(
        started("execute_command", command="x"),
        CommandReviewed("c1", "x", True, "", "guard"),
        finished("execute_command", by="rule"),
    )
    assert bench.records()[0]["by"] == "rule"


def test_calls_of_two_actors_with_one_id_are_told_apart(bench: Bench) -> None:
    other = TASK._replace(actor="task_2", task_id="task_2")
    bench.tell(started("write_file", path="a"))
    bench.tell(started("write_file", path="b"), finished("write_file", ToolOutcome.FAILED), origin=other)
    bench.tell(finished("write_file"))
    found = [(record["actor"], record["arguments"], record["outcome"]) for record in bench.records()]
    assert found == [("task_2", {"path": "b"}, "failed"), ("task_1", {"path": "a"}, "ok")]


def test_a_call_whose_turn_ends_without_its_end_is_recorded_too(bench: Bench) -> None:
    bench.tell(started("execute_command", command="x"))
    bench.now += 2
    bench.tell(TurnFinished(TurnStatus.CANCELLED, ""), origin=Origin("turn_1"))
    bench.tell(started("execute_command", "c2", command="y"), origin=Origin("turn_2"))
    bench.tell(SessionFinished(), origin=Origin())
    found = [(record["arguments"], record["outcome"], record["duration_s"]) for record in bench.records()]
    assert found == [({"command": "x"}, "unfinished", 2.0), ({"command": "y"}, "unfinished", 0.0)]


def test_a_command_that_the_person_changed_is_named_as_it_ran(bench: Bench) -> None:
    for ran in ("ls", "ls -l"):
        bench.tell(
            started("execute_command", command="ls"),
            finished("execute_command")._replace(detail=CommandRun(ran, 0, 0.1)),
        )
    assert [record.get("ran") for record in bench.records()] == [None, "ls -l"]


def test_secrets_are_masked_and_long_values_are_cut(tmp_path: Path) -> None:
    bench = Bench(tmp_path, secrets=("canary-value-1",))
    bench.tell(
        started("write_file", path="a", content="é" * 5_000, more=[{"deep": "x" * 3_000}]),
        finished("write_file"),
        started("execute_command", command="curl -u u:canary-value-1 -H 'token: abcd1234efgh' password=hunter2hunter2"),
        finished("execute_command"),
        ToolStarted("c1", "write_file", "no json canary-value-1"),
        finished("write_file", ToolOutcome.FAILED),
    )
    text = (tmp_path / "audit-2026-11-30.jsonl").read_text()
    assert not any(secret in text for secret in ("canary-value-1", "abcd1234efgh", "hunter2hunter2"))
    first, second, third = bench.records()
    assert first["arguments"] == {
        "path": "a",
        "content": "é" * 2_000 + "… (+3000)",
        "more": [{"deep": "x" * 2_000 + "… (+1000)"}],
    }
    assert second["arguments"] == {"command": "curl -u u:*** -H 'token: ***' password=***"}
    assert third["arguments"] == "no json ***"


def test_each_utc_day_has_its_file(bench: Bench) -> None:
    bench.tell(started("write_file"), finished("write_file"))
    bench.now += 12 * 3_600
    bench.tell(started("write_file"), finished("write_file"))
    (bench.folder / "notes.txt").write_text("")
    assert audit_files(bench.folder) == [
        bench.folder / "audit-2026-11-30.jsonl",
        bench.folder / "audit-2026-12-01.jsonl",
    ]
    assert audit_files(bench.folder / "none") == []


def test_a_disk_that_takes_nothing_is_said_once_and_tried_again(bench: Bench) -> None:
    bench.folder.parent.mkdir()
    bench.folder.write_text("in the way")
    for _ in range(2):
        bench.tell(started("write_file"), finished("write_file"))
    assert len(bench.faults) == 1
    bench.folder.unlink()
    bench.tell(started("write_file"), finished("write_file"))
    assert len(bench.records()) == 1


def _write_many(folder: Path, name: str, count: int) -> None:
    bench = Bench(folder)
    for number in range(count):
        bench.tell(started("write_file", path=name, content="x" * 1_500, number=number), finished("write_file"))


def test_processes_that_write_at_once_leave_whole_lines(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    writers = [context.Process(target=_write_many, args=(tmp_path, str(each), 40)) for each in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join(PATIENCE_S)
    assert [writer.exitcode for writer in writers] == [0, 0, 0]
    lines = (tmp_path / "audit-2026-11-30.jsonl").read_bytes().splitlines()
    assert len(lines) == 120
    entries = [from_line(raw) for raw in lines]
    numbers = [(entry.arguments["path"], entry.arguments["number"]) for entry in entries if entry is not None]
    assert sorted(numbers) == [(str(each), number) for each in range(3) for number in range(40)]


ENTRY = AuditEntry(
    "2026-11-30T12:00:00.000Z", "s", "t", "react", "write_file", {"path": "a"}, "allowed", "mode", "ok", 1
)


def test_an_entry_survives_its_line_and_a_damaged_one_is_none() -> None:
    whole = ENTRY._replace(reason="r", error_kind="e", ran="x", files=("a",), project="/p", duration_s=0.5)
    assert from_line(as_line(whole).encode()) == whole
    assert from_line(as_line(ENTRY).encode()) == ENTRY
    for raw in (b"", b"{", b"[]", b"3", b'{"time": 3, "tool": "x"}', b"\xff", b"[" * 100_000):
        assert from_line(raw) is None
    newer = from_line(b'{"time":"t","tool":"x","files":3,"duration_s":"y","later":1}')
    assert newer == AuditEntry("t", "", "", "", "x", None, "", "", "", 0.0)


def test_the_page_holds_this_sessions_days_and_all_of_today(tmp_path: Path) -> None:
    def put(day: str, *lines: str) -> None:
        with (tmp_path / f"audit-{day}.jsonl").open("a") as file:
            file.write("".join(f"{text}\n" for text in lines))

    def entry(day: str, session: str, what: str) -> str:
        return as_line(ENTRY._replace(time=f"{day}T{what}", session=session))

    mine = "20261129-230000-abc"
    put("2026-11-28", entry("2026-11-28", mine, "01"))
    put("2026-11-29", entry("2026-11-29", mine, "01"), entry("2026-11-29", "other", "02"))
    put("2026-11-30", entry("2026-11-30", "other", "03"), '{"cut', entry("2026-11-30", mine, "02"))
    page = last_entries(tmp_path, mine, 10, now=NOON, since=session_start(mine))
    assert ([entry.time for entry in page.entries], page.damaged_lines) == (
        ["2026-11-29T01", "2026-11-30T02", "2026-11-30T03"],
        1,
    )
    assert [entry.time for entry in last_entries(tmp_path, mine, 1, now=NOON, since=NOON).entries] == ["2026-11-30T03"]
    assert session_start("odd") == 0.0


@pytest.mark.skipif(os.getuid() != 0 or not Path("/dev/full").exists(), reason="/dev/full stands for a full disk")
def test_a_full_disk_is_a_fault_and_no_crash(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    (tmp_path / "audit-2026-11-30.jsonl").symlink_to("/dev/full")
    bench.tell(started("write_file"), finished("write_file"))
    assert bench.faults == ["audit-2026-11-30.jsonl 22"]
