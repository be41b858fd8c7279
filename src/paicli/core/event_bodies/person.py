"""The bodies of events about what a person is asked and takes back; members of the union in `events`."""

from typing import NamedTuple

from paicli.core.ops import TurnKind


class QuestionAsked(NamedTuple):
    """The model asks (ask_user); `AnswerQuestion` answers."""

    request_id: str
    call_id: str
    question: str
    """Masked, as are the options."""
    options: tuple[str, ...] = ()
    """Proposed answers, in order; another text answers as well."""
    description: str = ""
    """The task's description, empty outside a plan."""


class QuestionAnswered(NamedTuple):
    request_id: str
    answer: str
    """Masked; empty when there was none."""
    by: str = "user"
    """user | nobody (no person there) | cancel"""


class ConversationRewound(NamedTuple):
    """The conversation is as it was before that turn: what it and the later ones appended to it is void."""

    before_turn: str
    """Its turn_id."""
    kind: TurnKind
    text: str
    """What the person had written then, masked."""


class PolicyTightened(NamedTuple):
    """The person's words of this turn forbid something: it holds until the turn ends."""

    restrictions: tuple[str, ...]
    """no_network | read_only | no_commands; only those that are new."""
