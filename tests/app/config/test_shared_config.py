# C74: several instances, one state file.
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from paicli.app.config.config_file import read_config
from paicli.app.wiring.rule_keeper import RuleKeeper
from paicli.core.events import Notice
from paicli.core.ops import ChangeRule, RuleChange, Storing
from paicli.policy.rule_book import RuleBook
from paicli.session.input_history import InputHistory
from paicli.system.locks.file_lock import locked
from tests.system.locks.test_file_lock import end, holder_of

WRITER = """
import sys
from pathlib import Path
from paicli.app.config.config_edit import change_config
from paicli.session.input_history import InputHistory

home, me = Path(sys.argv[1]), sys.argv[2]
path = home / "config.toml"
history = InputHistory(home / "history")
sys.stdin.readline()
for turn in range(5):
    rule = f"read_file({me}x{turn})"
    key = f"permissions.{'ask' if turn % 2 else 'allow'}"
    change_config(path, {f"providers.{me}x{turn}{part}.model": me for part in "abcdefgh"})
    change_config(path, lambda config: {key: [*(config.get(key) or ()), rule]})
    history.append(f"{me}x{turn}")
    print(turn, flush=True)
"""
LIVE = [f"live{number}" for number in range(8)]
KILLED = ["dies0", "dies1"]


def writer(home: Path, name: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(home), name], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


def go(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin is not None
    process.stdin.write(b"\n")
    process.stdin.flush()


def test_eight_processes_set_their_keys_while_others_read_and_die(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("# mine\n[ui]\nascii = true # yes\n")
    live = [writer(tmp_path, name) for name in LIVE]
    dying = [writer(tmp_path, name) for name in KILLED]
    for process in (*live, *dying):
        go(process)
    reads = 0
    for turns, process in enumerate(dying, 1):
        assert process.stdout is not None
        for _ in range(turns):
            process.stdout.readline()
        os.kill(process.pid, signal.SIGKILL)
        process.communicate(timeout=10)
    while any(process.poll() is None for process in live):
        assert read_config(path).get("ui.ascii") is True
        reads += 1
    assert [process.communicate(timeout=10)[0].split()[-1:] for process in live] == [[b"4"]] * 8
    assert [process.returncode for process in live] == [0] * 8
    assert reads > 5

    config = read_config(path)
    own = [f"{name}x{turn}" for name in LIVE for turn in range(5)]
    providers = {f"{name}{part}": name.partition("x")[0] for name in own for part in "abcdefgh"}
    assert {name: config.get(f"providers.{name}.model") for name in providers} == providers
    rules = {*config.get("permissions.allow"), *config.get("permissions.ask")}
    assert {f"read_file({name})" for name in own} <= rules
    entries = InputHistory(tmp_path / "history").entries()
    assert sorted(entry for entry in entries if entry.startswith("live")) == sorted(own)
    assert "# mine\n[ui]\nascii = true # yes\n" in path.read_text()
    assert sorted(entry.name for entry in tmp_path.iterdir()) == [".config.toml.lock", "config.toml", "history"]


def test_a_file_that_another_process_keeps_is_said_and_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paicli.app.config.config_edit.locked", partial(locked, timeout_s=0.05))
    path = tmp_path / "config.toml"
    path.write_text("ui.ascii = true\n")
    book = RuleBook()
    other = holder_of(path)
    try:
        op = ChangeRule(RuleChange.ASK, "read_file(x)", Storing.SAVED)
        said = [body.fault.code for body in RuleKeeper(book, path).change(op) if isinstance(body, Notice)]
    finally:
        end(other)
    assert said == ["session.rule_added", "settings.config_locked", "session.rule_not_saved"]
    assert [rule.text for rule in book.rules] == ["read_file(x)"]
    assert path.read_text() == "ui.ascii = true\n"
