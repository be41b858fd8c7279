"""What a run of the tool loop came to."""

from enum import StrEnum
from typing import NamedTuple, Protocol

from paicli.core.cancellation import CancellationToken
from paicli.core.events import Origin
from paicli.core.messages import Usage


class LoopStatus(StrEnum):
    DONE = "done"
    PARTIAL = "partial"
    """A budget or the repetition guard ended it; the text says what is done and what is open."""
    CANCELLED = "cancelled"


class LoopOutcome(NamedTuple):
    status: LoopStatus
    text: str
    steps: int = 0
    usage: Usage = Usage()


class RunConversation(Protocol):
    """Runs the tool loop over a fresh message list, as plan tasks do."""

    def __call__(
        self, system: str, user: str, *, description: str, origin: Origin, cancel: CancellationToken
    ) -> LoopOutcome:
        """Emits everything under `origin`; `description` names the task in questions to the person.

        Raises LlmError when the model can't be reached; never for a tool.
        """
        ...
