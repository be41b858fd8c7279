"""What a model and a person read of a command: how it ended, what it printed, and what is worth a hint."""

import re
import signal
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from paicli.core.catalogue.lookup import MODEL, model_text
from paicli.core.errors import reason_of
from paicli.core.masking import SecretMasker
from paicli.core.unicode import decoded
from paicli.system.output_ring import KeptOutput
from paicli.system.running_command import CommandOutcome, CommandStatus, Survivor
from paicli.tools.results import ResultStore
from paicli.tools.terminal_text import last_lines, plain_text

SHOWN_HEAD = 8_000
SHOWN_TAIL = 8_000
"""Characters a model sees of a long output."""

_TAIL_LINES, _TAIL_WIDTH = 5, 200
_MAX_SURVIVORS = 5
_SIGPIPE_CODE = 128 + signal.SIGPIPE

_ASKS_A_PERSON = re.compile(
    r"/dev/tty|askpass|a terminal is required|no tty present|terminal prompts disabled"
    r"|could not read (?:Username|Password)|Host key verification failed"
    r"|Permission denied \([a-z,-]*(?:password|keyboard-interactive)|not a (?:tty|terminal)|password is required",
    re.IGNORECASE,
)


class OutputReader:
    """Turns raw output into text that may be shown: plain, without secrets, and short, the whole kept elsewhere."""

    def __init__(self, *, masker: SecretMasker, results: ResultStore) -> None:
        self._masker = masker
        self._results = results

    def read(self, output: KeptOutput, name: str) -> "ReadableOutput":
        """`name` is for the file that takes an output longer than 16,000 characters."""
        text = self._plain(output.head)
        if output.dropped_bytes:
            dropped = model_text("command.dropped", bytes=output.dropped_bytes)
            whole = text[: self._masker.open_end(text)]  # a key may be cut there
            text = "\n".join((whole.rstrip("\n"), dropped, self._plain(output.tail)))
        tail = last_lines(text[-_TAIL_LINES * 1_000 :], _TAIL_LINES, _TAIL_WIDTH)
        asks_person = bool(_ASKS_A_PERSON.search(text, 0, 100_000) or _ASKS_A_PERSON.search(text[-100_000:]))
        if len(text) <= SHOWN_HEAD + SHOWN_TAIL:
            return ReadableOutput(text, tail, asks_person)
        note = self._store(text, name, output.dropped_bytes)
        omitted = len(text) - SHOWN_HEAD - SHOWN_TAIL
        mark = (
            model_text("command.omitted_dropped", chars=omitted, bytes=output.dropped_bytes)
            if output.dropped_bytes
            else model_text("command.omitted", chars=omitted, size=len(text))
        )
        return ReadableOutput(f"{text[:SHOWN_HEAD]}\n{mark}\n{text[-SHOWN_TAIL:]}", tail, asks_person, note)

    def tail(self, raw: bytes) -> str:
        """The last lines of a running command; the first line of `raw` may be cut, so it only counts when alone."""
        text = self._plain(raw)
        text = text[: self._masker.open_end(text)]  # a key may be half written
        line_end = text.find("\n")
        whole_lines = text[line_end + 1 :]
        return last_lines(whole_lines if line_end >= 0 and whole_lines.strip() else text, _TAIL_LINES, _TAIL_WIDTH)

    def mask(self, text: str) -> str:
        return self._masker.mask(text)

    def _plain(self, raw: bytes) -> str:
        masked = self._masker.mask(decoded(raw))
        plain = plain_text(masked)
        # Once more: a colour in the middle must not hide a key.
        return masked if plain is masked else self._masker.mask(plain)

    def _store(self, text: str, name: str, dropped_bytes: int) -> str:
        try:
            path = self._results.save(name, text)
        except OSError as error:
            return model_text("command.not_stored", reason=reason_of(error))
        code = "command.stored_partly" if dropped_bytes else "command.stored"
        return model_text(code, path=path, lines=text.count("\n") + (not text.endswith("\n")))


class ReadableOutput(NamedTuple):
    text: str
    """At most 16,000 characters and a mark."""
    tail: str
    """Its last lines, for a screen."""
    asks_person: bool = False
    """It speaks of a terminal or a password that nobody can type."""
    note: str = ""
    """Where the whole is."""


def report(outcome: CommandOutcome, output: ReadableOutput, *, timeout_s: float, wished: Path) -> str:
    """The result of a command that was waited for."""
    lines = [_ending(outcome, timeout_s)]
    lines += remarks(outcome, output)
    if outcome.cwd != wished:
        lines.append(model_text("command.moved", wished=wished, cwd=outcome.cwd))
    return body(lines, output, empty="command.no_output", heading="command.output")


def body(lines: Sequence[str], output: ReadableOutput, *, empty: str, heading: str) -> str:
    """Lines about the command, then what it printed. `empty` and `heading` are codes of the catalogue."""
    lines = [*lines, output.note] if output.note else list(lines)
    if not output.text.strip():
        return "\n".join((*lines, model_text(empty)))
    return "\n".join((*lines, model_text(heading), output.text.rstrip("\n")))


def remarks(outcome: CommandOutcome, output: ReadableOutput) -> list[str]:
    """What is worth knowing beside the exit code: the stages of a pipe, what runs on, that nobody can type."""
    lines: list[str] = []
    codes = outcome.stage_codes
    if len(codes) > 1 and outcome.status is CommandStatus.ENDED:
        is_broken_pipe = _SIGPIPE_CODE in codes[:-1]
        code = "command.stages_broken_pipe" if is_broken_pipe else "command.stages"
        lines.append(model_text(code, codes=" ".join(map(str, codes))))
    if outcome.survivors and outcome.status is not CommandStatus.ENDED:
        lines.append(model_text("command.not_killed"))
    if outcome.survivors:
        lines.append(model_text("command.survivors", processes=_listed(outcome.survivors)))
    # A command that went well only printed such words: `env`, or a file that speaks of terminals.
    if output.asks_person and _has_failed(outcome):
        lines.append(model_text("command.no_terminal"))
    return lines


def _has_failed(outcome: CommandOutcome) -> bool:
    return outcome.status is not CommandStatus.ENDED or any((outcome.exit_code, *outcome.stage_codes))


def exit_words(outcome: CommandOutcome) -> str:
    """The exit code and the time; a signal in words."""
    code, seconds = outcome.exit_code, seconds_text(outcome.duration_s)
    if code is None:
        return model_text("command.not_killed")
    if code < 0:
        return model_text("command.signalled", seconds=seconds, **_signal_fields(-code))
    if f"signal.{code - 128}" in MODEL:
        return model_text("command.ended_by_child_signal", code=code, seconds=seconds, **_signal_fields(code - 128))
    return model_text("command.ended", code=code, seconds=seconds)


def seconds_text(duration_s: float) -> str:
    """Two decimals below a second, one above."""
    return f"{duration_s:.2f}" if duration_s < 1 else f"{duration_s:.1f}"


def _ending(outcome: CommandOutcome, timeout_s: float) -> str:
    if outcome.status is CommandStatus.TIMED_OUT:
        return model_text("command.timed_out", timeout=f"{timeout_s:g}")
    if outcome.status is CommandStatus.CANCELLED:
        return model_text("command.cancelled", seconds=seconds_text(outcome.duration_s))
    return exit_words(outcome)


def _signal_fields(number: int) -> dict[str, object]:
    name = next((known.name for known in signal.Signals if known == number), "")
    return {"number": number, "name": name, "words": MODEL.get(f"signal.{number}", "-")}


def _listed(survivors: Sequence[Survivor]) -> str:
    shown = [
        model_text("command.survivor", pid=survivor.pid, command=survivor.command).strip()
        for survivor in survivors[:_MAX_SURVIVORS]
    ]
    if len(survivors) > _MAX_SURVIVORS:
        shown.append(model_text("command.survivors_more", count=len(survivors) - _MAX_SURVIVORS))
    return ", ".join(shown)
