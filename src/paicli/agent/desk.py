"""Where workers wait for a person: one question at a time, the others stand in line, a cancel ends every wait."""

import itertools
import threading
from collections import deque
from collections.abc import Callable
from typing import TypeVar

from paicli.core.cancellation import CancellationToken
from paicli.core.ops import AnswerQuestion, DecideApproval, DecideReview

Answer = DecideApproval | DecideReview | AnswerQuestion
Kind = TypeVar("Kind", DecideApproval, DecideReview, AnswerQuestion)


class PersonDesk:
    """Questions go out as events (by the asker's `publish`), answers come in as ops, from any thread."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._line: deque[str] = deque()
        self._kinds: dict[str, type[Answer]] = {}
        """Request → what answers it."""
        self._answers: dict[str, Answer] = {}
        self._numbers = itertools.count(1)

    def ask(self, kind: type[Kind], publish: Callable[[str], None], cancel: CancellationToken) -> Kind:
        """Waits its turn, calls `publish(request_id)`, waits for the answer, which is of that kind.

        Raises TurnCancelled when the token is set first.
        """
        request_id = f"request_{next(self._numbers)}"
        unregister = cancel.on_cancel(self._wake)
        with self._changed:
            self._line.append(request_id)
            self._kinds[request_id] = kind
        try:
            with self._changed:
                self._changed.wait_for(lambda: cancel.cancelled or self._line[0] == request_id)
            cancel.raise_if_cancelled()
            publish(request_id)
            with self._changed:
                self._changed.wait_for(lambda: cancel.cancelled or request_id in self._answers)
                answer = self._answers.pop(request_id, None)
            if answer is None:
                cancel.raise_if_cancelled()
            assert isinstance(answer, kind)
            return answer
        finally:
            unregister()
            with self._changed:
                self._line.remove(request_id)
                del self._kinds[request_id]
                self._changed.notify_all()

    def answer(self, op: Answer) -> bool:
        """False when nobody waits for it: answered before, cancelled, or asked for something else."""
        with self._changed:
            if not self._line or self._line[0] != op.request_id or op.request_id in self._answers:
                return False
            if not isinstance(op, self._kinds[op.request_id]):
                return False
            self._answers[op.request_id] = op
            self._changed.notify_all()
            return True

    def _wake(self) -> None:
        with self._changed:
            self._changed.notify_all()
