"""Who runs a loop: a ReAct turn or a plan task, with what belongs to it alone."""

from dataclasses import dataclass, field

from paicli.agent.skills.arriving import ArrivingSkills
from paicli.core.cancellation import CancellationToken
from paicli.core.event_stream import Emit
from paicli.core.events import Origin
from paicli.policy.turn_policy import TurnToolPolicy
from paicli.tools.ledger import ReadLedger


@dataclass(frozen=True, slots=True)
class Actor:
    """Passed along with everything an actor does."""

    origin: Origin
    emit: Emit
    """Publishes under `origin`."""
    cancel: CancellationToken
    ledger: ReadLedger = field(default_factory=ReadLedger)
    policy: TurnToolPolicy = field(default_factory=TurnToolPolicy)
    """What the person's words of this turn allow it, and which URLs it may fetch."""

    description: str = ""
    """The task's description, for questions to the person; empty outside a plan."""

    skills: ArrivingSkills = field(default_factory=ArrivingSkills)
    """What load_skill brings into its conversation."""

    is_person: bool = False
    """The person's own `!command`: nobody is asked, the guards hold."""

    @property
    def name(self) -> str:
        return self.origin.actor
