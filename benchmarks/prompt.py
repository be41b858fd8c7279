"""CPU from process start until a key typed at the prompt is echoed, in a pseudo-terminal, beside what must be imported.

"Usable" is the echo: a prompt that is drawn and does not take keys yet would not count.
"""

import sys

from benchmarks.driving import Spent, Terminal
from benchmarks.figures import Figure
from benchmarks.measuring import PAICLI, Endpoint, Place, middle, ms

KEY = "Ж"
"""A letter that no banner contains."""
IMPORTS = "import prompt_toolkit, rich.console"
OWN_MS = 100.0
WATCHED = """
import os, sys
def watch(event, arguments):
    if event in {"socket.connect", "socket.getaddrinfo", "socket.sendto"}:
        with open(sys.argv[1], "a") as log:
            log.write(f"{event} {arguments[1:]}\\n")
sys.addaudithook(watch)
from paicli.app.main import main
from paicli.app.streams import standard_streams
main([], os.environ, standard_streams())
"""


def measure(repeats: int) -> list[Figure]:
    spent: list[Spent] = []
    floors = []
    with Place() as place, Endpoint("answer") as endpoint:
        for _ in range(repeats):
            floors.append(ms(place.run(sys.executable, "-c", IMPORTS).checked().cpu_s))
            spent.append(until_echo(place, endpoint.base_url, PAICLI))
        log = place.home / "network"
        until_echo(place, endpoint.base_url, sys.executable, "-c", WATCHED, str(log))
        contacts = log.read_text().splitlines() if log.exists() else []
    floor_ms = middle(floors)
    wall_ms = middle([ms(each.wall_s) for each in spent])
    note = f"floor: CPU of `{IMPORTS}`; wall to the same moment: {wall_ms:.0f} ms"
    cpu = tuple(ms(each.cpu_s) for each in spent)
    return [
        Figure("start to usable prompt: CPU", "ms", cpu, floor_ms + OWN_MS, 200, floor_ms, note=note),
        Figure("network before the prompt", "calls", (len(contacts),), 0, 0, note=" ".join(contacts)),
    ]


def until_echo(place: Place, base_url: str, *argv: str) -> Spent:
    with Terminal(*argv, folder=place.project, environ=place.environ(base_url)) as terminal:
        terminal.wait_for_keys()
        terminal.press(KEY)
        terminal.wait_for(KEY)
        return terminal.kill()
