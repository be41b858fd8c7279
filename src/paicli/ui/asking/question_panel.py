"""The panel of a question that the model asks the person."""

from paicli.core.catalogue.lookup import Texts
from paicli.core.event_bodies.person import QuestionAsked
from paicli.core.events import Event
from paicli.core.ops import AnswerQuestion, Cancel
from paicli.ui.live.panels import Decided, Outcome, Scroll, StillOpen, WantsText, framed
from paicli.ui.rendering.question_lines import asked_lines, chosen_answer, option_lines
from paicli.ui.rendering.styled import Line, Style, line, width, wrapped

_PROMPT = "question.prompt"


class QuestionPanel:
    """A number or Enter takes an option; any other character begins an answer in one's own words; ESC cancels."""

    starts_typing = True

    def __init__(self, event: Event, asked: QuestionAsked, texts: Texts) -> None:
        self.request_id = asked.request_id
        self._asked = asked
        self._texts = texts
        self._question = asked_lines(event, asked, texts)
        self._chosen = 0
        self._is_typing = False
        self._hint: list[Line] = []
        self._scroll = Scroll(texts)
        self._follows_choice = False
        """The person moved through the options, and did not scroll since."""

    def record(self) -> list[Line]:
        return [*self._question, *option_lines(self._asked, self._texts)]

    def rows(self, columns: int, height: int) -> list[Line]:
        options = option_lines(self._asked, self._texts, chosen=-1 if self._is_typing else self._chosen)
        keys = line(self._keys(columns), Style.ACCENT)
        if self._follows_choice:
            above = [row for text in (*self._question, *options[: self._chosen + 1]) for row in wrapped(text, columns)]
            self._scroll.reveal(len(above) - 1)
        return framed([*self._question, *options], [*self._hint, keys], self._scroll, columns=columns, height=height)

    def press(self, key: str) -> Outcome:
        self._hint = []
        count = len(self._asked.options)
        match key:
            case "escape":
                return Decided(Cancel())
            case "enter" if count:
                return self._answer(self._asked.options[self._chosen])
            case "up" | "down" if count:
                self._follows_choice = True
                self._chosen = (self._chosen + (1 if key == "down" else -1)) % count
            case _ if count and len(key) == 1 and key in "123456789":
                if int(key) <= count:
                    return self._answer(self._asked.options[int(key) - 1])
            case _ if key in ("enter", "paste") or (key == "0" and count):
                return self._begin_typing("")
            case _ if len(key) == 1 and key.isprintable():
                return self._begin_typing(key)
            case _:
                self._follows_choice = not self._scroll.press(key) and self._follows_choice
        return StillOpen()

    def take_text(self, text: str) -> Outcome:
        self._is_typing = False
        if not text:
            self._hint = [line(self._texts.screen("question.empty"), Style.WARNING)]
            return StillOpen()
        return self._answer(chosen_answer(text, self._asked.options))

    def stop_text(self) -> None:
        self._is_typing = False

    def _keys(self, columns: int) -> str:
        count = len(self._asked.options)
        if self._is_typing or not count:
            return self._texts.screen("question.keys_free")
        whole = self._texts.screen("question.keys", count=count)
        return whole if width(whole) <= columns else self._texts.screen("question.keys_short", count=count)

    def _begin_typing(self, begun: str) -> WantsText:
        self._is_typing = True
        return WantsText(_PROMPT, begun)

    def _answer(self, text: str) -> Decided:
        return Decided(AnswerQuestion(self.request_id, text))
