"""The panel that a session with an unfinished plan opens with: go on, look, or give up."""

from paicli.core.catalogue.lookup import Texts
from paicli.core.plan_view import UnfinishedPlan
from paicli.ui.asking.resume_offer import ResumeChoice, resume_op
from paicli.ui.live.panels import Closed, Decided, Outcome, Scroll, StillOpen, framed
from paicli.ui.rendering.plan_lines import unfolded
from paicli.ui.rendering.styled import Line, Style, line
from paicli.ui.stored.unfinished_lines import offer_lines


class ResumePanel:
    """A number, or the arrows and Enter; ESC leaves the plan as it is, for later."""

    request_id = ""
    starts_typing = False

    def __init__(self, left: UnfinishedPlan, texts: Texts) -> None:
        self._left = left
        self._texts = texts
        self._choices = list(ResumeChoice)
        self._chosen = 0
        self._is_unfolded = False
        self._scroll = Scroll(texts)

    def record(self) -> list[Line]:
        return []  # what comes of the choice says of which plan

    def rows(self, columns: int, height: int) -> list[Line]:
        left = self._left
        whole = unfolded(left.view, self._texts) if self._is_unfolded else offer_lines(left, self._texts)
        options = [
            line(
                f"{'›' if number == self._chosen else ' '} {number + 1}. {self._texts.screen(f'resume.{choice}')}",
                Style.BOLD if number == self._chosen else Style.PLAIN,
            )
            for number, choice in enumerate(self._choices)
        ]
        keys = line(self._texts.screen("resume.keys"), Style.ACCENT)
        return framed(whole, [*options, keys], self._scroll, columns=columns, height=height)

    def press(self, key: str) -> Outcome:
        match key:
            case "escape":
                return Closed()
            case "enter":
                return self._take(self._choices[self._chosen])
            case "1" | "2" | "3":
                return self._take(self._choices[int(key) - 1])
            case "up" | "down":
                self._chosen = (self._chosen + (1 if key == "down" else -1)) % len(self._choices)
            case _:
                self._scroll.press(key)
        return StillOpen()

    def take_text(self, text: str) -> Outcome:
        return StillOpen()

    def stop_text(self) -> None:
        return

    def _take(self, choice: ResumeChoice) -> Outcome:
        op = resume_op(choice, self._left)
        if op is not None:
            return Decided(op)
        self._is_unfolded = not self._is_unfolded
        return StillOpen()
