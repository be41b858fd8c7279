"""The model that reviews commands: its own client where the configuration names one, else the session's."""

from collections.abc import Callable
from typing import NamedTuple

from paicli.agent.reviewing.command_review import CommandReview
from paicli.agent.reviewing.reviewer import CommandReviewer
from paicli.app.settings import SessionKind, Settings
from paicli.app.wiring.model.choice import open_client
from paicli.app.wiring.model.recording import Wrap
from paicli.core.event_stream import EventStream
from paicli.core.masking import SecretMasker
from paicli.llm.asking import ModelAsker
from paicli.llm.client import LlmClient

PROMPT = "modes/command-review.md"


class Reviewing(NamedTuple):
    client: LlmClient
    """What the reviews are asked of; to be closed with the session."""
    review: CommandReview


def open_reviewing(
    settings: Settings,
    kind: SessionKind,
    *,
    session: LlmClient,
    recorded: Wrap,
    stream: EventStream,
    masker: SecretMasker,
    prompt_text: Callable[[str], str],
) -> Reviewing:
    """`session`: the client of the session's model, recorded where that is wished. `prompt_text`: by a file's name."""
    client = session if settings.review_model is None else recorded(open_client(settings.review_model, kind))
    reviewer = CommandReviewer(
        ModelAsker(client, masker=masker, session=session), system_prompt=lambda: prompt_text(PROMPT), masker=masker
    )
    return Reviewing(client, CommandReview(reviewer, stream, root=settings.project_root, masker=masker))
