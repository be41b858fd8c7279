import json
import os
import signal
import subprocess
from pathlib import Path

import pytest

from paicli.core.catalogue.lookup import Language, Texts
from paicli.llm.recorded.file import read_recording
from tests.e2e.harness import PAICLI, Finished, Terminal, environment, run_paicli
from tests.patience import PATIENCE_S

APP = Path(__file__).parents[2] / "src" / "paicli" / "app"
SAMPLE = APP / "demo_project"


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    """Where temporary files of the process go."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    return folder


def run_demo(*argv: str, project: Path, home: Path, scratch: Path, stdin: str | None = None, **extra: str) -> Finished:
    """Leaves nothing behind, not even in a home of one's own."""
    done = run_paicli("demo", *argv, project=project, home=home, stdin=stdin, TMPDIR=str(scratch), **extra)
    assert list(scratch.iterdir()) == []
    assert not (home / ".paicli" / "sessions").exists()
    assert "Traceback" not in done.stdout + done.stderr
    return done


def test_the_demo_runs_the_whole_job_without_network_key_or_configuration(
    project: Path, home: Path, scratch: Path
) -> None:
    done = run_demo("--yes", project=project, home=home, scratch=scratch, HTTPS_PROXY="http://127.0.0.1:9")

    assert (done.status, done.stderr) == (0, "")
    texts = Texts(Language.ZH)
    lines = done.stdout.splitlines()
    assert lines[0] == texts.screen("demo.first_line")
    assert "⚡ 本轮并行执行 4 个任务: task_1, task_2, task_3, task_4" in lines
    assert "● read_file pom.xml  → 50 lines" in done.stdout
    assert [line for line in lines if line.startswith("✅ 完成")] == [
        line for number in range(1, 6) for line in lines if line.startswith(f"✅ 完成 [task_{number}]")
    ]
    assert "✅ 计划执行完成!" in lines
    assert "com.example.orders.Main" in done.stdout
    assert lines[-1].strip().endswith("paicli")
    assert "PAICLI_BASE_URL" in done.stdout


def test_the_demo_is_reviewed_line_by_line_without_a_terminal(project: Path, home: Path, scratch: Path) -> None:
    done = run_demo(project=project, home=home, scratch=scratch, stdin="/view\ny\n", PAICLI_LANG="en")

    assert (done.status, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0] == Texts(Language.EN).screen("demo.first_line")
    assert "Action/change>" in done.stdout
    assert "✅ The plan is done!" in done.stdout
    assert "\x1b" not in done.stdout


def test_a_demo_whose_plan_is_cancelled_runs_nothing(project: Path, home: Path, scratch: Path) -> None:
    done = run_demo(project=project, home=home, scratch=scratch, stdin="cancel\n")

    assert done.status == 130
    assert "🚀" not in done.stdout


def test_the_demo_in_a_terminal_has_the_real_review_screen(project: Path, home: Path, scratch: Path) -> None:
    with Terminal("demo", project=project, home=home, server=None, TMPDIR=str(scratch)) as terminal:
        terminal.wait_for("📝 计划已生成。")
        terminal.press("\r")
        assert terminal.wait_end() == 0
        assert "✅ 计划执行完成!" in terminal.text()
        assert "PAICLI_BASE_URL" in terminal.text()
    assert list(scratch.iterdir()) == []


def test_a_broken_configuration_does_not_stop_the_demo(project: Path, home: Path, scratch: Path) -> None:
    (home / ".paicli").mkdir()
    (home / ".paicli" / "config.toml").write_text("[")

    assert run_demo("--yes", project=project, home=home, scratch=scratch).status == 0


def test_a_demo_that_is_terminated_leaves_nothing_behind(project: Path, home: Path, scratch: Path) -> None:
    process = subprocess.Popen(
        [PAICLI, "demo"],
        cwd=project,
        env=environment(home, None, TMPDIR=str(scratch)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with process:
        assert process.stdout is not None
        assert process.stderr is not None
        shown = b""
        while "操作/补充>".encode() not in shown:
            shown += os.read(process.stdout.fileno(), 65_536)
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=PATIENCE_S) == 128 + signal.SIGTERM
        assert process.stderr.read() == b""
    assert list(scratch.iterdir()) == []


@pytest.mark.parametrize("language", Language)
def test_the_prepared_replies_say_what_the_sample_really_holds(language: Language) -> None:
    replies = read_recording(APP / f"demo_conversation.{language.value}.jsonl").replies
    answers = {reply.actor: reply.response.content for reply in replies if reply.response.content}
    sources, tests = (
        sorted(path.name for path in (SAMPLE / "src" / part).rglob("*.java")) for part in ("main", "test")
    )

    assert [reply.actor for reply in replies] == [
        "planner",
        *(actor for number in range(1, 5) for actor in [f"task_{number}"] * 2),
        "task_5",
    ]
    plan = json.loads(answers["planner"])
    assert [task["dependencies"] for task in plan["tasks"]] == [
        [],
        [],
        [],
        [],
        ["task_1", "task_2", "task_3", "task_4"],
    ]
    for actor, names in (("task_2", sources), ("task_3", tests)):
        assert f" {len(names)} " in answers[actor]
        for name in names:
            assert name in answers[actor]
    pom = (SAMPLE / "pom.xml").read_text()
    for fact in ("com.example", "1.2.0", "5.11.3", "3.5.2", "3.4.2", "com.example.orders.Main"):
        assert fact in pom
        assert fact in answers["task_1"]
    head = "\n".join((SAMPLE / "README.md").read_text().splitlines()[:80])
    for fact in ("JDK 17", "Maven 3.9", "mvn test", "mvn package", "DiscountPolicy.bulk", "OrderLine"):
        assert fact in head
        assert fact in answers["task_4"]
    assert len((SAMPLE / "README.md").read_text().splitlines()) >= 80


@pytest.mark.parametrize("language", Language)
def test_both_goals_name_the_same_five_steps(language: Language) -> None:
    goal = Texts(language).screen("demo.goal")

    for number, named in enumerate(("pom.xml", "src/main/java", "src/test/java", "README.md"), 1):
        assert any(line.startswith(f"{number}. ") and named in line for line in goal.splitlines())
