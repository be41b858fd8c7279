"""The line below the prompt: mode, model, tasks, context, tokens, time, branch; less of it on a narrow screen."""

from collections.abc import Callable, Iterable

from paicli.core.actors import REACT
from paicli.core.catalogue.lookup import Texts
from paicli.core.event_bodies.person import ConversationRewound
from paicli.core.event_bodies.plans import (
    PlanFinished,
    RoundCommitted,
    RoundStarted,
    TaskCompleted,
    TaskFailed,
    TaskInterrupted,
    TaskStarted,
)
from paicli.core.events import (
    ConversationCleared,
    Event,
    ModeChanged,
    ModelChanged,
    ModelReplyReceived,
    ModelRequestStarted,
    TurnFinished,
    TurnStarted,
)
from paicli.ui.facts import SessionFacts
from paicli.ui.rendering.styled import cut, width

_SEPARATOR = " · "


class SessionStatus:
    """What the status bar knows, kept up to date from the events as they come (not as they are printed)."""

    def __init__(self, facts: SessionFacts, *, clock: Callable[[], float]) -> None:
        self.mode = facts.mode
        self._clock = clock
        self._model = facts.model
        self._branch = facts.git_branch
        self._window_tokens: int = facts.window_tokens
        self._tokens = 0
        self._cost_usd = 0.0
        self._context_tokens = 0
        self._turn_since: float | None = None
        self._tasks: dict[str, float] = {}
        """When each running one began, in the order of its round."""
        self._order: tuple[str, ...] = ()
        """The tasks of the round."""
        self._answered: set[str] = set()
        """Tasks that only wait for the end of their round."""

    def catch_up(self, events: Iterable[Event]) -> None:
        """What an earlier process had done; mode and model are what they are now."""
        now = self.mode, self._model, self._window_tokens
        for event in events:
            self.accept(event)
        self.mode, self._model, self._window_tokens = now
        self._turn_since, self._tasks = None, {}

    def accept(self, event: Event) -> None:
        body, task_id = event.body, event.origin.task_id
        if task_id and event.origin.actor == task_id:
            self._follow_task(event)
        match body:
            case ModeChanged(mode):
                self.mode = mode
            case ModelChanged(model=model, window_tokens=window_tokens):
                self._model = model
                self._window_tokens = window_tokens or self._window_tokens
            case ConversationCleared() | ConversationRewound():
                self._context_tokens = 0
            case TurnStarted():
                self._turn_since, self._tasks = self._clock(), {}
            case TurnFinished():
                self._turn_since, self._tasks = None, {}
            case RoundStarted(task_ids):
                self._order = task_ids
            case RoundCommitted() | PlanFinished():
                self._tasks = {}
            case ModelReplyReceived(response, _, cost_usd) if response.usage is not None:
                usage = response.usage
                self._cost_usd += cost_usd or 0.0
                self._tokens += usage.input_tokens + usage.output_tokens
                if event.origin.actor == REACT:
                    self._context_tokens = usage.input_tokens + usage.output_tokens
            case _:
                pass

    def _follow_task(self, event: Event) -> None:
        task_id = event.origin.task_id
        match event.body:
            case TaskStarted():
                begun = {**self._tasks, task_id: self._clock()}
                order = {each: at for at, each in enumerate(self._order)}
                self._tasks = dict(sorted(begun.items(), key=lambda item: order.get(item[0], len(order))))
                self._answered.discard(task_id)
            case ModelRequestStarted():
                self._answered.discard(task_id)  # an empty reply is asked for once more
            case ModelReplyReceived(response) if not response.tool_calls:
                self._answered.add(task_id)
            case TaskCompleted() | TaskFailed() | TaskInterrupted():
                self._tasks.pop(task_id, None)
            case _:
                pass

    def text(self, columns: int, texts: Texts, *, notes: tuple[str, ...] = ()) -> str:
        """At most `columns` columns; what matters least goes first. `notes` stand after the mode."""
        now = self._clock()
        by_weight: list[tuple[int, str]] = [
            (0, texts.screen("status.mode", mode=self.mode.value.upper())),
            *((1, note) for note in notes),
            *(
                (2, texts.screen("status.task", task=task, elapsed=elapsed_text(now - since)))
                for task, since in self._tasks.items()
                if task not in self._answered
            ),
            (5, self._model),
        ]
        if self._turn_since is not None:
            by_weight.append((3, elapsed_text(now - self._turn_since)))
        if self._context_tokens and self._window_tokens:
            percent = min(100, round(100 * self._context_tokens / self._window_tokens))
            by_weight.append((4, texts.screen("status.context", percent=percent)))
        if self._tokens:
            by_weight.append((6, texts.screen("status.tokens", tokens=short_count(self._tokens))))
        if self._cost_usd:
            by_weight.append((6, cost_text(self._cost_usd)))
        if self._branch:
            by_weight.append((7, self._branch))
        return _fitted(by_weight, columns)


def elapsed_text(seconds: float) -> str:
    """`7s`, `1m05s`, `2h03m`"""
    whole = max(0, int(seconds))
    minutes, rest = divmod(whole, 60)
    hours, minutes_left = divmod(minutes, 60)
    if hours:
        return f"{hours}h{minutes_left:02d}m"
    return f"{minutes}m{rest:02d}s" if minutes else f"{rest}s"


def cost_text(cost_usd: float) -> str:
    """`$0`, `$0.0012`, `$1.23`"""
    if cost_usd <= 0:
        return "$0"
    if cost_usd < 0.000_05:
        return "<$0.0001"
    return f"${cost_usd:.2f}" if cost_usd >= 1 else f"${cost_usd:.4f}"


def short_count(count: int) -> str:
    """`950`, `12.3k`, `1.2M`"""
    if count < 1_000:
        return str(count)
    return f"{count / 1_000:.1f}k" if count < 1_000_000 else f"{count / 1_000_000:.1f}M"


def _fitted(by_weight: list[tuple[int, str]], columns: int) -> str:
    kept = list(by_weight)
    while len(kept) > 1 and width(_SEPARATOR.join(text for _, text in kept)) > columns:
        heaviest = max(weight for weight, _ in kept)
        position = max(at for at, (weight, _) in enumerate(kept) if weight == heaviest)
        del kept[position]
    return cut(_SEPARATOR.join(text for _, text in kept), columns)
