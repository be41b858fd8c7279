"""What a tool is, and what it is given for one call."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol

from paicli.core.cancellation import CancellationToken
from paicli.core.events import Origin
from paicli.core.messages import ToolDetail, ToolEffect, ToolResult
from paicli.tools.ledger import FileLocks, ReadLedger

if TYPE_CHECKING:
    from pydantic import BaseModel

    from paicli.policy.path_guard import PathGuard


NOWHERE = Origin()


class SkillText(NamedTuple):
    """A skill as it joins a conversation."""

    name: str
    text: str
    mark: str
    """What `text` begins with, and no other skill's does."""
    path: str = ""
    """Of its SKILL.md; empty for one that paicli brings."""


class SkillIntake(Protocol):
    def take_in(self, skill: SkillText) -> bool:
        """It joins the actor's conversation behind this step's results; False: it is there, or on its way."""
        ...


class NoIntake:
    """For calls outside a conversation."""

    def take_in(self, skill: SkillText) -> bool:
        return False


@dataclass(frozen=True, slots=True)
class ToolContext:
    """What one call may use."""

    actor: str
    """"react" or "task_1"."""
    call_id: str
    cancel: CancellationToken
    paths: "PathGuard"
    ledger: ReadLedger
    """What this actor has read, by content."""
    locks: FileLocks
    """One lock per real path, shared by all actors of the session."""
    progress: Callable[[str], None] = field(default=lambda tail: None)
    """Shows the last lines of what is running."""
    origin: Origin = NOWHERE
    """Where events about this call come from."""
    task_description: str = ""
    """Of the plan task that calls, for questions to the person; empty outside a plan."""
    trusts_url: Callable[[str], bool] = field(default=lambda url: False)
    """Whether this actor may fetch that URL now; asked again for the target of each redirect."""
    skills: SkillIntake = field(default_factory=NoIntake)
    """Takes what load_skill found into the actor's conversation."""


class Tool(Protocol):
    """One thing a model can do. Stateless, or safe to call from several threads."""

    name: ClassVar[str]
    effect: ClassVar[ToolEffect]
    needs_approval: ClassVar[bool]
    """Ask mode asks before it runs."""

    @property
    def arguments_model(self) -> "type[BaseModel]":
        """The pydantic model of its arguments, built when first asked for."""
        ...

    def run(self, arguments: "BaseModel", context: ToolContext) -> ToolResult:
        """Does it. Raises ToolFailed or PolicyDenied with a code of the `model` table for the model to read."""
        ...

    def preview(self, arguments: "BaseModel", context: ToolContext) -> ToolDetail | None:
        """What an approval panel shows of the change, without making it; None where the arguments say it all."""
        ...
