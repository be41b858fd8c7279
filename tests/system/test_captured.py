import os
import sys
import threading
from pathlib import Path

import pytest

from paicli.core.cancellation import CancellationToken
from paicli.core.errors import TurnCancelled
from paicli.system.captured import Captured, run_captured
from tests.patience import PATIENCE_S

HERE = Path(__file__).parent


def run(code: str, *, timeout_s: float = PATIENCE_S, max_bytes: int = 1_000_000, feed: bytes = b"") -> Captured:
    argv = [sys.executable, "-I", "-S", "-c", code]
    return run_captured(argv, CancellationToken(), cwd=HERE, timeout_s=timeout_s, max_bytes=max_bytes, feed=feed)


def test_output_errors_and_exit_code_come_back() -> None:
    code = "import os; os.write(1, b'out'); os.write(2, b'err'); raise SystemExit(3)"
    assert run(code) == Captured(3, b"out", b"err")


def test_stdin_is_closed_or_fed_whole() -> None:
    code = "import sys; sys.stdout.write(str(len(sys.stdin.buffer.read())))"
    assert run(code).output == b"0"
    assert run(code, feed=b"x" * 3_000_000).output == b"3000000"


def test_a_program_that_does_not_read_its_input_does_not_block() -> None:
    assert run("print('done')", feed=b"x" * 3_000_000) == Captured(0, b"done\n", b"")


def test_much_output_is_cut_and_the_program_ended() -> None:
    captured = run("import os\nwhile True: os.write(1, b'x' * 4096)", max_bytes=100_000)
    assert (len(captured.output), captured.is_cut, captured.exit_code) == (100_000, True, -9)


def test_time_is_limited_and_what_was_written_stands() -> None:
    code = "import os, threading; os.write(1, b'first'); threading.Event().wait()"
    outcomes = (run(code, timeout_s=timeout_s) for timeout_s in (0.3, 3, 20))
    captured = next(outcome for outcome in outcomes if outcome.output)  # it had begun when its time was over
    assert captured == Captured(-9, b"first", b"", timed_out=True)


def test_it_ends_with_the_program_though_a_grandchild_holds_the_pipe() -> None:
    code = "import os, threading\nif os.fork(): os.write(1, b'x'); os._exit(0)\nthreading.Event().wait()"
    assert run(code, timeout_s=5) == Captured(0, b"x", b"")


def test_a_cancel_ends_it_at_once() -> None:
    cancel = CancellationToken()
    timer = threading.Timer(0.2, cancel.cancel)
    timer.start()
    with pytest.raises(TurnCancelled):
        run_captured(
            [sys.executable, "-I", "-c", "import threading; threading.Event().wait()"],
            cancel,
            cwd=HERE,
            timeout_s=60,
            max_bytes=100,
        )
    timer.join()
    with pytest.raises(TurnCancelled):
        run_captured(["no-such-program"], cancel, cwd=HERE, timeout_s=1, max_bytes=1)


def test_nothing_of_our_environment_reaches_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAICLI_API_KEY", "secret")
    assert b"secret" not in run("import os; print(dict(os.environ))").output


def test_it_has_a_session_of_its_own_and_leaves_no_descriptor_open() -> None:
    before = len(os.listdir("/dev/fd"))
    for _ in range(3):
        assert run("import os; print(os.getsid(0) == os.getpid())").output == b"True\n"
    assert len(os.listdir("/dev/fd")) == before
