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

WRITERS = """
import os, signal, sys
from pathlib import Path
from paicli.app.config.config_edit import change_config
from paicli.app.config.config_file import read_config
from paicli.core.errors import SettingsError
from paicli.session.input_history import InputHistory

home, names = Path(sys.argv[1]), sys.argv[2:]
path = home / "config.toml"

def changed(change):
    while True:
        try:
            return change_config(path, change)
        except SettingsError as error:  # nine others were before it for two seconds: said, and asked again
            if error.code != "settings.config_locked":
                raise

def write(me):
    history = InputHistory(home / "history")
    for turn in range(5):
        rules = [f"read_file({me}x{turn}{part})" for part in "abcd"]
        key = f"permissions.{'ask' if turn % 2 else 'allow'}"
        changed({f"providers.{me}x{turn}{part}.model": me for part in "ab"})
        changed(lambda config: {key: [*(config.get(key) or ()), *rules]})
        for part in "abcd":
            history.append(f"{me}x{turn}{part}")
        os.write(1, f"{me} {os.getpid()}\\n".encode())
    while f"{me}x4d" not in history.entries():  # written behind the key, in order
        pass
    if me.startswith("dies"):
        signal.pause()  # the kill comes while it writes, or else here

children = {}
for name in names:
    pid = os.fork()
    if not pid:
        try:
            write(name)
        except BaseException:
            import traceback
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    children[name] = pid
left, ends = dict(children), {}
while left:  # the ninth reads all the time
    assert read_config(path).get("ui.ascii") is True
    for name, pid in list(left.items()):
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            ends[name] = os.waitstatus_to_exitcode(status)
            del left[name]
ends = [ends[name] for name in names]
os.write(1, f"ends {' '.join(map(str, ends))}\\n".encode())
"""
"""One process that becomes ten: the imports are paid once."""
LIVE = [f"live{number}" for number in range(8)]
KILLED = ["dies0", "dies1"]


def test_eight_processes_set_their_keys_while_others_read_and_die(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_text("# mine\n[ui]\nascii = true # yes\n")
    script = [sys.executable, "-c", WRITERS, str(tmp_path), *LIVE, *KILLED]
    ends, killed = "", set[str]()
    with subprocess.Popen(script, stdout=subprocess.PIPE, text=True) as writers:
        assert writers.stdout is not None
        for line in writers.stdout:
            name, _, rest = line.strip().partition(" ")
            if name in KILLED and name not in killed:
                os.kill(int(rest), signal.SIGKILL)
                killed.add(name)
            ends = rest
    assert ends.split() == ["0"] * 8 + ["-9"] * 2

    config = read_config(path)
    own = [f"{name}x{turn}{part}" for name in LIVE for turn in range(5) for part in "abcd"]
    providers = {name: name.partition("x")[0] for name in own if name[-1] in "ab"}
    assert {name: config.get(f"providers.{name}.model") for name in providers} == providers
    assert {f"read_file({name})" for name in own} <= {*config.get("permissions.allow"), *config.get("permissions.ask")}
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
