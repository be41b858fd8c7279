"""Several sessions save at once: nothing of it is lost (R8)."""

import subprocess
import sys
from pathlib import Path

from paicli.app.config.config_file import read_config
from paicli.context.memory import memory_lines
from paicli.session.input_history import InputHistory
from tests.patience import PATIENCE_S

_WRITER = """
import sys
from pathlib import Path
from paicli.app.config.config_edit import change_config
from paicli.context.memory import save_line
from paicli.context.rule_notes import append_rule
from paicli.session.input_history import InputHistory

home, number = Path(sys.argv[1]), sys.argv[2]
print("ready", flush=True)
sys.stdin.readline()
history = InputHistory(home / "history.jsonl")
for count in range(5):
    text = f"writer {number} line {count}"
    save_line(home / "memory.md", text, today="2026-01-31")
    save_line(home / "memory.md", "the same of all", today="2026-01-31")
    history.append(text)
    append_rule(home / "project", text)
    change_config(home / "config.toml", lambda config: {"skills.off": [*(config.get("skills.off") or ()), text]})
"""
WRITERS = 8


def test_eight_processes_lose_nothing_of_memory_history_rules_and_config(tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", _WRITER, str(tmp_path), str(number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number in range(WRITERS)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    for process in processes:
        _, told = process.communicate(timeout=PATIENCE_S)
        assert (process.returncode, told) == (0, "")
    wanted = sorted(f"writer {number} line {count}" for number in range(WRITERS) for count in range(5))
    assert sorted(memory_lines(tmp_path / "memory.md")) == sorted(
        [f"- 2026-01-31 {text}" for text in wanted] + ["- 2026-01-31 the same of all"]
    )
    assert sorted(InputHistory(tmp_path / "history.jsonl").entries()) == wanted
    assert sorted((tmp_path / "project" / "PAI.md").read_text().splitlines()) == wanted
    assert sorted(read_config(tmp_path / "config.toml").get("skills.off")) == wanted
    assert [path.name for path in tmp_path.rglob("*.tmp")] == []
