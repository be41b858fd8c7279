"""What a case's service gives to its run: an environment, values for its texts, or word that something is missing."""

import json
from pathlib import Path

import pytest
from evals.runner.case import load_case
from evals.runner.running import Status, run_case
from evals.runner.service import filled, filled_case, filled_model, placeholders_of

from tests.evals.test_runner import call, write_case

SERVICE = """
from contextlib import contextmanager
from types import SimpleNamespace
from evals.runner.service import Missing


@contextmanager
def start(folder):
    {body}
"""
FILLING = """
    (folder / "seen").write_text((folder / "workspace" / "kept.txt").read_text())
    yield SimpleNamespace(placeholders={"answer": "42"}, environment={"PAICLI_LANG": "en"})
    (folder / "ended").write_text((folder / "workspace" / "out.txt").read_text())
"""


def test_a_service_fills_task_config_and_conversation_and_sees_the_end_of_the_run(tmp_path: Path) -> None:
    more = 'config = """\n[web]\nallow_hosts = [\'127.0.0.1:{answer}\']\n"""'
    folder = write_case(tmp_path / "A2", more=more)
    (folder / "service.py").write_text(SERVICE.replace("{body}", FILLING.strip()))
    (folder / "task.md").write_text("is it {answer} or {more}?\n")
    talk = folder / "conversations" / "solution.jsonl"
    replies = [call("write_file", path="out.txt", content="{answer}\n"), {"content": "{answer}"}]
    rows = [{"type": "paicli-recording", "version": 1}, *({"actor": "react", "reply": reply} for reply in replies)]
    talk.write_text("".join(json.dumps(row) + "\n" for row in rows))
    outcome = run_case(load_case(folder), model=f"replay:{talk}", conversation="solution", keep=tmp_path / "kept")
    kept = tmp_path / "kept" / "A2-solution"
    assert (outcome.status, outcome.score) == (Status.GRADED, 2.0)
    assert ((kept / "seen").read_text(), (kept / "ended").read_text()) == ("kept\n", "42\n")
    assert "allow_hosts = ['127.0.0.1:42']" in (kept / "home" / "config.toml").read_text()
    (journal,) = kept.rglob("sessions/*/*.jsonl")
    records = [json.loads(line) for line in journal.read_text().splitlines()]
    assert [each["text"] for each in records if each["type"] == "turn_started"] == ["is it 42 or {more}?"]
    assert "{answer}" in talk.read_text()


def test_what_a_service_misses_skips_the_case_and_its_run_never_starts(tmp_path: Path) -> None:
    folder = write_case(tmp_path / "A2")
    missing = 'raise Missing("a jar; bring it by hand")\n    yield'
    (folder / "service.py").write_text(SERVICE.replace("{body}", missing))
    case = load_case(folder)
    outcome = run_case(case, model=f"replay:{case.prepared[0].file}", keep=tmp_path / "kept")
    assert (outcome.status, outcome.why) == (Status.SKIPPED, "missing a jar; bring it by hand")
    assert not list((tmp_path / "kept").rglob("*.jsonl"))


def test_a_run_that_is_kept_again_takes_the_place_of_the_earlier_one(tmp_path: Path) -> None:
    folder = write_case(tmp_path / "A2")
    (folder / "workspace" / "link").symlink_to("kept.txt")
    case = load_case(folder)
    stale = tmp_path / "kept" / "A2-solution" / "stale"
    for _ in range(2):
        run_case(case, model=f"replay:{case.prepared[0].file}", conversation="solution", keep=tmp_path / "kept")
        assert not stale.exists()
        stale.write_text("of the run before")
    assert (tmp_path / "kept" / "A2-solution" / "workspace" / "link").is_symlink()


@pytest.mark.parametrize(
    ("text", "values", "expected"),
    [
        ("{port}/{port}", {"port": "1"}, "1/1"),
        ('{"port": {port}}', {"port": "1"}, '{"port": 1}'),
        ("{other} {}", {"port": "1"}, "{other} {}"),
        ("{port}", {}, "{port}"),
    ],
)
def test_only_the_names_of_the_service_are_filled(text: str, values: dict[str, str], expected: str) -> None:
    assert filled(text, values) == expected


def test_a_case_without_placeholders_and_a_real_model_stay_as_they_are(tmp_path: Path) -> None:
    case = load_case(write_case(tmp_path / "A2"))
    assert (placeholders_of(None), filled_case(case, {})) == ({}, case)
    assert filled_model("glm/glm-5", tmp_path, {"port": "1"}) == "glm/glm-5"
    assert filled_model("replay:a", tmp_path, {}) == "replay:a"
