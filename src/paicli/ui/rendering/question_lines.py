"""A question of the model as lines: what stands above the prompt and what its answer was."""

from paicli.core.catalogue.lookup import Texts
from paicli.core.event_bodies.person import QuestionAnswered, QuestionAsked
from paicli.core.events import Event
from paicli.ui.rendering.styled import Line, Style, cut, line, lines
from paicli.ui.sanitize import hidden_count, revealed

ONE_LINE_COLUMNS = 60
CANCEL_WORDS = frozenset({"cancel", "/cancel"})
"""Answers, in line mode, that cancel the turn."""


def one_line(text: str, columns: int = ONE_LINE_COLUMNS) -> str:
    """The first line of `text` that says something, everything in it visible, cut to `columns`."""
    first = next((part for part in text.split("\n") if part.strip()), "")
    return cut(revealed(" ".join(first.split())), columns)


def asked_lines(event: Event, asked: QuestionAsked, texts: Texts) -> list[Line]:
    """The question itself, without its options; nothing in it is invisible (C84)."""
    shown = [line(texts.screen("question.title"), Style.ACCENT)]
    if event.origin.task_id:
        described = texts.screen("approval.task", task=event.origin.task_id, description=revealed(asked.description))
        shown += lines(described)
    shown += lines(revealed(asked.question))
    hidden = hidden_count(asked.question + "".join(asked.options))
    if hidden:
        shown.append(line(texts.screen("question.hidden", count=hidden), Style.WARNING))
    return shown


def option_lines(asked: QuestionAsked, texts: Texts, *, chosen: int = -1) -> list[Line]:
    """Numbered from 1, one line each; `chosen` counts from 0."""
    return [
        line(
            texts.screen(
                "question.chosen_option" if number == chosen + 1 else "question.option",
                number=number,
                text=revealed(" ".join(option.split())),
            ),
            Style.ACCENT if number == chosen + 1 else Style.PLAIN,
        )
        for number, option in enumerate(asked.options, 1)
    ]


def chosen_answer(text: str, options: tuple[str, ...]) -> str:
    """The option whose number was typed, else the text itself."""
    is_number = text.isascii() and text.isdigit() and len(text) < 4
    return options[int(text) - 1] if is_number and 1 <= int(text) <= len(options) else text


def question_lines(body: QuestionAsked | QuestionAnswered, texts: Texts) -> list[Line]:
    """What the screen keeps: the panel shows the question, so only the answer is news."""
    match body:
        case QuestionAsked():
            return []
        case QuestionAnswered(answer=answer, by="user"):
            return lines(texts.screen("question.answered", answer=revealed(answer)), Style.DIM)
        case QuestionAnswered(by="cancel"):
            return lines(texts.screen("question.cancelled"), Style.DIM)
        case QuestionAnswered():
            return lines(texts.screen("question.nobody"), Style.WARNING)
