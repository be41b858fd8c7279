import json
import os
import socket
import sys
from pathlib import Path

import pytest
from benchmarks.__main__ import NAMES, measure
from benchmarks.driving import Terminal, driven
from benchmarks.figures import Figure
from benchmarks.measuring import NOWHERE, PAICLI, Endpoint, Place

from benchmarks import (
    bare_loop,
    cancel,
    figures,
    growth,
    job,
    load,
    memory,
    prefix,
    prompt,
    replay,
    tasks,
    tool_call,
    version,
)
from paicli.core.ops import Submit

FOLDER = Path(bare_loop.__file__).parent
SHARED = {"__init__", "__main__", "bare_loop", "driving", "endpoint", "figures", "launcher", "measuring", "peers"}


def test_each_figure_has_a_script_and_each_script_is_run() -> None:
    scripts = {path.stem for path in FOLDER.glob("*.py")} - SHARED
    assert sorted(scripts) == sorted(NAMES)


@pytest.mark.parametrize(
    ("must", "goal", "measured", "verdict"),
    [
        (10, 5, 4, "goal"),
        (10, 5, 5, "goal"),
        (10, 5, 6, "must"),
        (10, 5, 11, "MISSED"),
        (4, 5, 4.5, "MISSED"),
        (1, None, 1, "must"),
        (None, None, 7, ""),
        (10, 5, None, "not measured"),
    ],
)
def test_a_verdict_says_which_limit_holds(
    must: float | None, goal: float | None, measured: float | None, verdict: str
) -> None:
    assert Figure("x", "ms", () if measured is None else (measured,), must, goal).verdict == verdict


def test_the_table_shows_the_median_beside_the_limits() -> None:
    rows = [Figure("start", "ms", (900.0, 120.4, 130.2), 150, 100, 60.5), Figure("first", "ms", (7.0,))]
    assert figures.table(rows).splitlines() == [
        "| what  | must   | goal   | floor   | measured | verdict |",
        "| ----- | ------ | ------ | ------- | -------- | ------- |",
        "| start | 150 ms | 100 ms | 60.5 ms | 130 ms   | must    |",
        "| first | –      | –      | –       | 7 ms     |         |",
    ]


def test_a_script_that_cannot_measure_leaves_a_row_that_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(repeats: int) -> list[Figure]:
        raise RuntimeError("exit status 1: no model")

    monkeypatch.setattr(memory, "measure", fail)
    (row,) = measure("memory", 1)
    assert (row.verdict, row.note, row.cells()[4]) == ("not measured", "exit status 1: no model", "–")


def test_results_are_json_with_samples_and_verdicts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "RESULTS", tmp_path / "results")
    stored = json.loads(figures.store([Figure("x", "ms", (3.0, 1.0, 2.0), 2, 1)]).read_text())
    assert [(row["samples"], row["measured"], row["verdict"]) for row in stored["figures"]] == [
        ([3.0, 1.0, 2.0], 2.0, "must")
    ]
    assert stored["cpus"] == os.cpu_count()


def test_a_run_says_what_a_process_and_its_child_cost() -> None:
    burn = "sum(range(3_000_000)); x = bytearray(60_000_000)"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {burn!r}]); print('said'); sys.exit(3)"
    with Place() as place:
        idle = place.run(sys.executable, "-c", "").checked()
        busy = place.run(sys.executable, "-c", code)
    assert (busy.status, busy.stdout) == (3, "said\n")
    assert busy.cpu_s > idle.cpu_s
    assert busy.peak_mb > 60 > idle.peak_mb
    assert busy.wall_s >= busy.ended - busy.started > 0


def test_a_run_that_failed_has_no_figure() -> None:
    with Place() as place, pytest.raises(RuntimeError, match="no such thing"):
        place.run(sys.executable, "-c", "raise SystemExit('no such thing')").checked()


def test_the_job_is_eleven_requests_for_paicli_and_for_the_bare_loop() -> None:
    with Endpoint("job") as endpoint:
        ours, bare = job.paicli_job(endpoint), job.bare_job(endpoint)
    for done in (ours, bare):
        assert done.run.stdout == "done\n"
        assert len(done.requests) == 11
        assert done.gap_ms > 0
        assert all(f"true {number}" in done.requests[10].body for number in range(1, 11))
        arrivals = [request.arrived_at for request in done.requests]
        assert [done.run.started, *arrivals, done.run.ended] == sorted([done.run.started, *arrivals, done.run.ended])
    assert ours.sent_bytes > bare.sent_bytes
    assert prefix.breaks([request.body for request in ours.requests]) == 0


def test_a_request_that_changes_what_was_said_before_is_counted() -> None:
    bodies = ['{"model":"m","messages":[{"a":1}]}', '{"model":"m","messages":[{"a":1},{"b":2}]}']
    assert prefix.breaks(bodies) == 0
    assert prefix.breaks([*bodies, '{"model":"m","messages":[{"a":1},{"b":3},{"c":4}]}']) == 1
    assert prefix.breaks([bodies[0], bodies[1].replace('"m"', '"n"')]) == 1


def test_modules_are_read_from_the_import_report() -> None:
    report = (
        "import time: self [us] | cumulative | imported package\nimport time:  78 |  78 |     pydantic.main\nother\n"
    )
    assert version.imported(report) == {"pydantic.main"}


def test_a_bare_version_loads_nothing_foreign() -> None:
    with Place() as place:
        assert version.third_party(place) == []


def test_the_prompt_is_usable_when_a_key_is_echoed() -> None:
    echo = f"import tty; tty.setraw(0); print('{prompt.KEY}' if input() else '')"
    with Place() as place:
        spent = prompt.until_echo(place, NOWHERE, PAICLI)
        with Terminal(sys.executable, "-c", echo, folder=place.project, environ=place.environ()) as terminal:
            terminal.wait_for_keys()
            pressed = terminal.press("x\n")
            assert terminal.wait_for(prompt.KEY) > pressed
    assert spent.cpu_s > 0
    assert spent.wall_s > 0


def test_the_watched_start_tells_of_a_connection(tmp_path: Path) -> None:
    log = tmp_path / "log"
    watcher = prompt.WATCHED.split("from paicli")[0]
    with Place() as place, socket.create_server(("127.0.0.1", 0)) as listener:
        connect = f"import socket; socket.create_connection(('127.0.0.1', {listener.getsockname()[1]})).close()"
        place.run(sys.executable, "-c", watcher + connect, str(log)).checked()
    assert "socket.connect" in log.read_text()


def test_a_rounds_own_time_is_read_from_its_events() -> None:
    records = [
        {"type": "round_started", "time": 100.0},
        {"type": "round_committed", "time": 101.25, "completed": ["1", "2"]},
    ]
    assert tasks.beyond_a_second(records, 2) == 0.25
    with pytest.raises(RuntimeError, match="not all"):
        tasks.beyond_a_second(records, 4)


def test_a_round_of_four_takes_more_than_the_second_of_its_tasks() -> None:
    assert tasks.excess_ms("four_waits", 4) > 0


def test_peak_memory_is_read_from_a_run_whose_command_ran() -> None:
    peak_mb, wall_s = memory.peak_mb("little")
    assert peak_mb > 10
    assert wall_s > 0


@pytest.mark.parametrize("phase", [phase for phase in cancel.PHASES if "TERM" not in phase.what], ids=lambda p: p.what)
def test_a_cancel_is_timed_in_its_phase(phase: cancel.Phase) -> None:
    (took_ms,) = cancel.cancels(phase, 1)
    assert took_ms > 0


def test_a_turn_that_ends_before_its_phase_is_no_figure() -> None:
    phase = cancel.PHASES[2]._replace(script="answer", begins=cancel.runs)
    with pytest.raises(RuntimeError, match="goes another way"):
        cancel.cancels(phase, 1)


def test_escape_in_a_terminal_is_timed() -> None:
    assert cancel.escape_once() > 0


def test_turns_with_an_instant_model_cost_cpu_and_send_nothing() -> None:
    costs = growth.turn_costs(3)
    assert len(costs) == 3
    assert all(cost.cpu_s > 0 and cost.resident_bytes > 1_000_000 for cost in costs)


def test_every_kind_of_call_passes_the_gate_without_its_work(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    measured = tool_call.costs(root, 2)
    assert {name: len(samples) for name, samples in measured.items()} == dict.fromkeys(tool_call.CALLS, 2)
    assert all(sample > 0 for samples in measured.values() for sample in samples)
    kinds = [json.loads(line)["type"] for line in (tmp_path / "journal.jsonl").read_text().splitlines()]
    assert kinds.count("tool_finished") == 6


def test_an_engine_that_is_driven_answers_a_turn() -> None:
    with Place() as place, Endpoint("answer") as endpoint, driven(place, endpoint.base_url) as session:
        assert session.finish(Submit("go")).text == "done"


def test_a_stored_session_is_read_back_whole() -> None:
    (figure,) = load.measure(1)
    assert (figure.what, figure.unit, len(figure.samples)) == ("a session of 10,000 events read back", "ms", 1)


def test_a_recorded_session_of_fifty_requests_replays_to_the_same_bytes() -> None:
    with Place() as place:
        recorded = replay.record(place)
        run = replay.replay(recorded)
    assert (recorded.requests, run.stdout) == (50, recorded.answer)
    assert recorded.answer.startswith("## 结构 and layout")
