"""Asks a person at the terminal whether a folder's files may be used, after showing what each would do."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from paicli.app.attended import ends_by_signal
from paicli.app.config.config_file import ConfigFile
from paicli.app.config.environment import wants_color
from paicli.app.streams import Streams
from paicli.app.trust.decision import Standing
from paicli.app.trust.description import Described, described
from paicli.app.trust.store import Changes, StoredAnswer
from paicli.core.catalogue.lookup import Texts
from paicli.core.errors import UserFacingError
from paicli.core.faults import fault_of
from paicli.core.masking import SecretMasker
from paicli.core.unicode import clipped
from paicli.ui.facts import ColorUse
from paicli.ui.rendering.fault_texts import fault_text
from paicli.ui.rendering.styled import Style
from paicli.ui.sanitize import clean
from paicli.ui.setup.choices import chosen_number

_MOST_ROWS = 30
_ROW_CHARACTERS = 300
_ANSWERS = ("no", "yes", "block")
_LINE_LIMIT = 200


class Asker(Protocol):
    """How the person is asked; None: not answered. Ctrl+C and Ctrl+D raise KeyboardInterrupt and EOFError."""

    def say(self, text: str, style: Style = Style.PLAIN) -> None: ...

    def choose(
        self, question: str, choices: Sequence[str], *, names: Sequence[str] = (), preset: int = 0
    ) -> int | None: ...


def ask_about(
    standing: Standing, config: ConfigFile, texts: Texts, *, streams: Streams, environ: Mapping[str, str]
) -> bool:
    """True: yes. What is to be remembered is kept; that it couldn't be kept is said."""
    with ends_by_signal():
        return put_question(_asker(config, texts, streams, environ=environ), standing, texts)


def put_question(asker: Asker, standing: Standing, texts: Texts) -> bool:
    """As `ask_about`."""
    code = "trust.title_changed" if standing.changes != Changes() else "trust.title"
    asker.say(clean(texts.screen(code, path=standing.root)), Style.BOLD)
    for row in rows_of(standing, texts):
        asker.say(row)
    asker.say(texts.screen("trust.note"), Style.DIM)
    labels = [texts.screen(f"trust.choice_{name}") for name in _ANSWERS]
    number = asker.choose(texts.screen("trust.question"), labels, names=_ANSWERS, preset=0)
    answer = _ANSWERS[number or 0]
    try:
        if answer == "yes":
            standing.store.keep(standing.root, StoredAnswer.YES, standing.brought.files)
        elif answer == "block":
            standing.store.keep(standing.root, StoredAnswer.NEVER)
    except UserFacingError as error:
        asker.say(clean(fault_text(fault_of(error, SecretMasker()), texts)), Style.WARNING)
    return answer == "yes"


def rows_of(standing: Standing, texts: Texts) -> list[str]:
    """One line for each thing that each file would do, the folder's own words made harmless and short."""
    files = described(standing.brought.files)
    shown = [row for file in files for row in _rows(file, standing.changes, texts)]
    shown += [texts.screen("trust.row_gone", name=name) for name in standing.changes.gone]
    rows = [clipped(clean(" ".join(row.split("\n"))), _ROW_CHARACTERS) for row in shown]
    if len(rows) > _MOST_ROWS:
        rows[_MOST_ROWS:] = [texts.screen("trust.rows_more", count=len(rows) - _MOST_ROWS)]
    return rows


def _rows(file: Described, changes: Changes, texts: Texts) -> Iterator[str]:
    code = "trust.row"
    if any(name in changes.changed for name in file.members):
        code = "trust.row_changed"
    elif any(name in changes.new for name in file.members):
        code = "trust.row_new"
    for fault in file.does:
        yield texts.screen(code, name=file.name, does=fault_text(fault, texts))


def _asker(config: ConfigFile, texts: Texts, streams: Streams, *, environ: Mapping[str, str]) -> Asker:
    if environ.get("TERM", "dumb") == "dumb":
        return LineAsker(texts, streams)
    # prompt_toolkit costs 140 ms at start-up, and a folder is asked about once
    from paicli.ui.setup.dialogue import TerminalDialogue

    color = ColorUse.ALLOWED if wants_color(environ, config) else ColorUse.NEVER
    return TerminalDialogue(texts, color=color, is_ascii=bool(config.get("ui.ascii")))


class LineAsker:
    """For a terminal that can't be drawn on: reads one line."""

    def __init__(self, texts: Texts, streams: Streams) -> None:
        self._texts = texts
        self._streams = streams

    def say(self, text: str, style: Style = Style.PLAIN) -> None:
        self._streams.answer(f"{text}\n")

    def choose(
        self, question: str, choices: Sequence[str], *, names: Sequence[str] = (), preset: int = 0
    ) -> int | None:
        self.say(question)
        for choice in choices:
            self.say(f"  {choice}")
        self._streams.answer(self._texts.screen("trust.answer"))
        # Below the text layer: once something was read from that, the session could not set it up as it wants it.
        raw = self._streams.stdin.buffer.readline(_LINE_LIMIT) if self._streams.stdin is not None else b""
        if not raw:
            raise EOFError
        number = chosen_number(raw.decode("utf-8", "replace"), len(choices), names=names)
        return preset if number is None else number  # what isn't clear is a no
