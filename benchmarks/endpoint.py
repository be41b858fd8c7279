"""A scripted endpoint as a process: `python -m benchmarks.endpoint SCRIPT` prints its base URL and serves until its
standard input ends. Each line there is a number of requests to wait for; a JSON line with all new ones answers it.
"""

import itertools
import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from tests.fakes.openai_server import (
    OpenAiServer,
    RecordedRequest,
    Reply,
    call,
    delta_event,
    hang_before_headers,
    hang_mid_stream,
    say,
)

Script = Callable[[RecordedRequest], Reply]

PLANNING = "请为以下任务制定执行计划"
SESSION_REQUESTS = 50
STUBBORN = 'trap "" TERM; echo ready; while :; do sleep 0.05; done'
DELTA = 6
PACE_S = 0.002
"""A stream this far ahead of its pace waits."""
ANSWER = """## 结构 and layout

The **engine** publishes events, 界面 shows them; see [the docs](https://example.org/docs) and `core/events.py`.

- first item with *some* emphasis, 👩‍💻 and 你好
- second item, a longer one: the prompt stays alive while the answer streams above it, line by line and block by block
1. numbered

| room | what it is for | 说明 |
|------|----------------|-----:|
| core | the shared words | 共享 |
| ui | the terminal | 终端 |

```python
def render(events: list[Event]) -> list[Line]:
    \"\"\"One line for each call, with its outcome.\"\"\"
    return [line(text, Style.DIM) for text in texts if text != "nothing" and len(text) > 12]  # comment
```

> a quotation, and the end of this part.

"""
_ids = itertools.count(1)


def command(text: str) -> Reply:
    return call("execute_command", {"command": text}, f"bench_{next(_ids)}")


def answers(request: RecordedRequest) -> int:
    """Tool results since the last words of the user."""
    count = 0
    for message in reversed(request.body["messages"]):
        if message["role"] == "user":
            break
        count += message["role"] == "tool"
    return count


def job(request: RecordedRequest) -> Reply:
    """Ten shell calls, each answered, then a text."""
    done = answers(request)
    return command(f"true {done + 1}") if done < 10 else say("done")


def session(request: RecordedRequest) -> Reply:
    """Fifty requests: 49 calls of three tools by turns, then a text of many sorts of character."""
    done = answers(request)
    if done == SESSION_REQUESTS - 1:
        return say(ANSWER)
    if done % 7 == 0:
        return command(f"echo {done}")
    return call(*(("list_dir", {}) if done % 2 else ("read_file", {"path": "notes.txt"})), f"bench_{next(_ids)}")


def one_command(text: str) -> Script:
    return lambda request: say("done") if answers(request) else command(text)


def talk(request: RecordedRequest) -> Reply:
    return say("好") if answers(request) else call("list_dir", {}, f"bench_{next(_ids)}")


def tasks(count: int, of_task: Script) -> Script:
    """A plan of independent tasks, whose own requests `of_task` answers."""
    numbers = range(1, count + 1)
    stated = [{"id": str(n), "description": f"task {n}", "type": "ANALYSIS", "dependencies": []} for n in numbers]
    plan = json.dumps({"summary": "side by side", "tasks": stated})

    def answer(request: RecordedRequest) -> Reply:
        first = next(message["content"] for message in request.body["messages"] if message["role"] == "user")
        return say(plan) if first.startswith(PLANNING) else of_task(request)

    return answer


def after_a_second(request: RecordedRequest) -> Reply:
    whole = say("done")
    return whole._replace(chunks=(lambda: threading.Event().wait(1.0), *whole.chunks))


def streaming(deltas_per_s: float) -> Script:
    """An endless answer of Markdown, six characters a delta; 0: as fast as it is taken."""
    deltas = [delta_event(content=ANSWER[at : at + DELTA]) for at in range(0, len(ANSWER), DELTA)]

    def chunks() -> Iterator[bytes | Callable[[], object]]:
        started = time.monotonic()
        for sent, delta in enumerate(itertools.cycle(deltas), start=1):
            yield delta
            early_s = started + sent / deltas_per_s - time.monotonic() if deltas_per_s else 0.0
            if early_s > PACE_S:
                yield lambda wait_s=early_s: threading.Event().wait(wait_s)

    def at_once() -> Iterator[bytes]:
        return itertools.repeat(b"".join(deltas))

    return lambda request: Reply(chunks() if deltas_per_s else at_once())


def silent(request: RecordedRequest) -> Reply:
    return hang_mid_stream()


SCRIPTS: dict[str, Script] = {
    "job": job,
    "session": session,
    "talk": talk,
    "answer": lambda request: say("done"),
    "much": one_command("yes 0123456789012345678901234567890123456789 | head -c 1000000000"),
    "one_line": one_command("head -c 1000000000 /dev/zero | tr '\\0' a"),
    "little": one_command("yes 0123456789012345678901234567890123456789 | head -c 1000"),
    "four_waits": tasks(4, after_a_second),
    "one_sleep": tasks(1, one_command("sleep 1")),
    "four_sleeps": tasks(4, one_command("sleep 1")),
    "headers": lambda request: hang_before_headers(),
    "silence": silent,
    "stubborn": one_command(STUBBORN),
    "answer_paced": streaming(2_000),
    "answer_fast": streaming(0),
    "four_paced": tasks(4, streaming(500)),
    "four_fast": tasks(4, streaming(0)),
    "four_silences": tasks(4, silent),
    "four_stubborn": tasks(4, one_command(STUBBORN)),
}


def seen(request: RecordedRequest) -> list[Any]:
    return [request.arrived_at, (request.sent_at or [0.0])[0], request.raw_body.decode()]


def main() -> None:
    with OpenAiServer(SCRIPTS[sys.argv[1]]) as server:
        print(server.base_url, flush=True)
        told = 0
        for line in sys.stdin:
            requests = server.wait_for_requests(told + int(line), 30.0)[told:]
            told += len(requests)
            print(json.dumps([seen(request) for request in requests]), flush=True)


if __name__ == "__main__":
    main()
