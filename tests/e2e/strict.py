"""A provider that answers 400 to what real ones refuse, and what must hold after every run of the program."""

import contextlib
import os
import subprocess
import threading
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from tests.e2e.harness import PAICLI, Finished, environment, run_paicli
from tests.fakes.openai_server import OpenAiServer, RecordedRequest, Reply, status

Step = Reply | Callable[[RecordedRequest], Reply]
"""A reply, or a function that makes it when its request has come: the place to change a file between two steps."""
CANARY = "sk-canary"
"""What every key of these tests begins with."""


def faults_of(body: dict[str, Any]) -> list[str]:
    """What a strict provider would say about the messages (rule R2); empty when it would take them."""
    faults: list[str] = []
    seen: set[str] = set()
    waiting: list[str] = []
    for place, message in enumerate(body["messages"]):
        if message["role"] == "tool":
            if message["tool_call_id"] not in waiting:
                faults.append(f"message {place} answers no open call")
            else:
                waiting.remove(message["tool_call_id"])
            continue
        if waiting:
            faults.append(f"message {place} comes before the answers of {waiting}")
            waiting = []
        if message["role"] == "assistant":
            ids = [call["id"] for call in message.get("tool_calls", ())]
            if not ids and not message["content"]:
                faults.append(f"message {place} is an empty assistant message")
            if "" in ids or len(ids) != len(set(ids)) or seen & set(ids):
                faults.append(f"message {place} has ids that are not unique: {ids}")
            seen |= set(ids)
            waiting = ids
    return [*faults, f"{waiting} have no answer"] if waiting else faults


class StrictScript:
    """Gives the replies out in order of arrival, but a 400 to what breaks the rules; `faults` lists what did."""

    def __init__(self, steps: Sequence[Step], *, echoes_thinking: str = "") -> None:
        """`echoes_thinking`: the `reasoning_content` that each assistant message with calls must bring back."""
        self._left = iter(list(steps))
        self._echo = echoes_thinking
        self._lock = threading.Lock()
        self.faults: list[str] = []

    def __call__(self, request: RecordedRequest) -> Reply:
        faults = faults_of(request.body)
        if self._echo:
            faults += [
                f"no reasoning_content: {message}"
                for message in request.body["messages"]
                if message.get("tool_calls") and message.get("reasoning_content") != self._echo
            ]
        with self._lock:
            self.faults += faults
            if faults:
                return status(400, {"error": {"message": "; ".join(faults)}})
            step = next(self._left)
        return step(request) if callable(step) else step


def tool_results(request: RecordedRequest) -> list[str]:
    """What the model was told by its tools, in order."""
    return [message["content"] for message in request.body["messages"] if message["role"] == "tool"]


def sent_calls(request: RecordedRequest) -> list[tuple[str, str]]:
    """(name, arguments) of each call in the history."""
    return [
        (call["function"]["name"], call["function"]["arguments"])
        for message in request.body["messages"]
        for call in message.get("tool_calls", ())
    ]


def assert_no_key(done: Finished, *folders: Path) -> None:
    """No key on the screen nor in any file."""
    assert CANARY not in done.stdout + done.stderr
    for folder in folders:
        for path in folder.rglob("*"):
            is_plain = path.is_file() and path.stat().st_size < 2**26
            assert not is_plain or CANARY.encode() not in path.read_bytes(), path


def assert_said_briefly(done: Finished, *, lines: int = 3) -> None:
    """One clear message for a person and nothing that only a programmer can read."""
    assert "Traceback" not in done.stdout + done.stderr
    said = [line for line in done.stderr.splitlines() if line.strip()]
    assert 0 < len(said) <= lines, done.stderr


def at_once(*works: Callable[[], None]) -> None:
    """Runs works that mostly wait beside each other; raises what the first of them raised."""
    errors: list[BaseException] = []

    def guarded(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:  # handed to the test's own thread, whatever it is
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


class Ran(NamedTuple):
    """A finished run beside what the server was asked."""

    done: Finished
    requests: list[RecordedRequest]


def talk(project: Path, home: Path, steps: Sequence[Step], *turns: str, **extra: str) -> Ran:
    """A session in line mode against a strict provider: it took every request, and no key is anywhere."""
    script = StrictScript(steps)
    with OpenAiServer(script) as server:
        lines = "".join(f"{turn}\n" for turn in (*turns, "/exit"))
        done = run_paicli(project=project, home=home, server=server, stdin=lines, **extra)
        assert script.faults == []
        assert len(server.requests) == len(steps)
        assert done.status == 0, done.stderr
        assert "Traceback" not in done.stdout + done.stderr
        assert_no_key(done, home, project)
        return Ran(done, server.requests)


def ask(project: Path, home: Path, steps: Sequence[Step], *options: str, **extra: str) -> Ran:
    """One `-p` turn against a strict provider; every reply was asked for, no key is anywhere."""
    script = StrictScript(steps)
    with OpenAiServer(script) as server:
        done = run_paicli("-p", "x", *options, project=project, home=home, server=server, **extra)
        assert script.faults == []
        assert len(server.requests) == len(steps), done.stderr
        assert "Traceback" not in done.stdout + done.stderr
        assert_no_key(done, home, project)
        return Ran(done, server.requests)


def live_processes_in(folder: Path) -> list[str]:
    """Command lines of the processes that run in `folder`, zombies aside."""
    found: list[str] = []
    for entry in Path("/proc").iterdir():
        try:
            if not entry.name.isdigit() or not Path(os.readlink(entry / "cwd")).is_relative_to(folder):
                continue
            if (entry / "stat").read_text().rpartition(")")[2].split()[0] != "Z":
                found.append((entry / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace"))
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue
    return [line for line in found if "/paicli" not in line.partition(" -p ")[0]]


@contextlib.contextmanager
def started(*arguments: str, project: Path, home: Path, server: OpenAiServer) -> Generator[subprocess.Popen[bytes]]:
    """A running paicli, its ends piped but for the input of `-p`; gone when the block ends, however it ends."""
    process = subprocess.Popen(
        [PAICLI, *arguments],
        cwd=project,
        env=environment(home, server),
        stdin=subprocess.DEVNULL if "-p" in arguments else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()
        process.wait()


def type_into(process: subprocess.Popen[bytes], text: str) -> None:
    assert process.stdin is not None
    process.stdin.write(text.encode())
    process.stdin.flush()


def read_until(process: subprocess.Popen[bytes], words: str) -> str:
    """What the process says from here to `words`; fails when it ends without them."""
    assert process.stdout is not None
    said = b""
    while words.encode() not in said:
        piece = os.read(process.stdout.fileno(), 65_536)
        assert piece, said.decode("utf-8", "replace")
        said += piece
    return said.decode("utf-8", "replace")
