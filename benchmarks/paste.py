"""From a paste of 300,000 characters in a pseudo-terminal to the placeholder that stands for it."""

from benchmarks.driving import Terminal
from benchmarks.figures import Figure
from benchmarks.measuring import PAICLI, Endpoint, Place, ms

SIZE_CHARACTERS = 300_000
LINE = "line of the paste with 中文 in it\n"
PLACEHOLDER = "#1:"


def measure(repeats: int) -> list[Figure]:
    took = tuple(placeholder_time() for _ in range(repeats))
    return [Figure("paste of 300,000 characters to its placeholder", "ms", took, 2_000.0)]


def placeholder_time() -> float:
    text = (LINE * (SIZE_CHARACTERS // len(LINE) + 1))[:SIZE_CHARACTERS]
    with Place() as place, Endpoint("answer") as endpoint:
        environ = place.environ(endpoint.base_url)
        with Terminal(PAICLI, folder=place.project, environ=environ) as terminal:
            terminal.wait_for_keys()
            pressed = terminal.press(f"\x1b[200~{text}\x1b[201~")
            return ms(terminal.wait_for(PLACEHOLDER) - pressed)
