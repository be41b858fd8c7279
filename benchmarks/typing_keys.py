"""From a key to its echo in a pseudo-terminal while an answer or four tasks of a plan stream: p50 and p95 of each run.

The floor is the same session's echo before anything streams: it has what the machine's other work costs.
The key is a letter that stands nowhere else and is taken back after its echo, so that the input stays one row.
"""

from collections.abc import Iterator
from itertools import count
from statistics import median, quantiles

from benchmarks.driving import Terminal
from benchmarks.figures import Figure
from benchmarks.measuring import PAICLI, Endpoint, Place, ms

RUN_KEYS = 60
PAUSE_S = 0.04
WARM_UP_S = 0.5
"""The stream has reached its speed, and the first block of code its colours."""
BACKSPACE = "\x7f"
SCENES = (
    ("answer at 2,000 deltas/s", "answer_paced", 15.0),
    ("answer at full speed", "answer_fast", 30.0),
    ("four tasks at 2,000 deltas/s", "four_paced", 15.0),
    ("four tasks at full speed", "four_fast", 30.0),
)


def measure(repeats: int) -> list[Figure]:
    rows: list[Figure] = []
    for what, script, must_ms in SCENES:
        idle, busy = zip(*(echo_times(script) for _ in range(max(3, repeats // 2))), strict=True)
        note = f"{RUN_KEYS} keys a run; slowest {max(map(max, busy)):.0f} ms, of the floor {max(map(max, idle)):.0f} ms"
        floors = [median(percentile(run, at) for run in idle) for at in (50, 95)]
        slow = tuple(percentile(run, 95) for run in busy)
        rows.append(Figure(f"key to echo, {what}: p50", "ms", tuple(map(median, busy)), floor=floors[0]))
        rows.append(Figure(f"key to echo, {what}: p95", "ms", slow, must_ms, floor=floors[1], note=note))
    return rows


def percentile(run: list[float], at: int) -> float:
    return quantiles(run, n=100)[at - 1]


def letters() -> Iterator[str]:
    """Syllables of Hangul: none of them stands in what streams."""
    return (chr(0xAC00 + number) for number in count())


def echo_times(script: str) -> tuple[list[float], list[float]]:
    """Milliseconds, key by key: at an idle prompt, and while it streams."""
    with Place() as place, Endpoint(script) as endpoint:
        environ = place.environ(endpoint.base_url)
        with Terminal(PAICLI, folder=place.project, environ=environ) as terminal:
            terminal.wait_for_keys()
            keys = letters()
            idle = [echo_time(terminal, next(keys)) for _ in range(RUN_KEYS)]
            begin(terminal, is_plan=script.startswith("four"))
            endpoint.requests(5 if script.startswith("four") else 1)
            terminal.read_for(WARM_UP_S)
            return idle, [echo_time(terminal, next(keys)) for _ in range(RUN_KEYS)]


def begin(terminal: Terminal, *, is_plan: bool) -> None:
    if not is_plan:
        terminal.press("go\r")
        return
    terminal.press("/plan go\r")
    terminal.wait_for("Ctrl+O")
    terminal.press("\r")


def echo_time(terminal: Terminal, letter: str) -> float:
    pressed = terminal.press(letter)
    took = terminal.wait_for(letter) - pressed
    terminal.press(BACKSPACE)
    terminal.read_for(PAUSE_S)
    return ms(took)
