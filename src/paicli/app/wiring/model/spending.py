"""What a session may spend, what it has spent, and who makes its conversations smaller."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

from paicli.agent.budget import Limits
from paicli.agent.compacting.compactor import CompactionParts
from paicli.app.settings import SessionKind, Settings
from paicli.app.wiring.model.choice import open_client
from paicli.app.wiring.model.recording import Wrap
from paicli.context.compaction.gauge import Calibration
from paicli.core.event_stream import EventStream
from paicli.core.events import Event
from paicli.core.masking import SecretMasker
from paicli.llm.asking import ModelAsker
from paicli.llm.client import LlmClient
from paicli.session.usage import Spender, Spent, UsageTotals

if TYPE_CHECKING:
    from paicli.ui.queries import SpendingReport, SpentRow

PROMPT = "modes/compaction.md"


class Spending(NamedTuple):
    limits: Limits
    totals: UsageTotals
    compaction: CompactionParts

    def close(self) -> None:
        """What the summaries are asked of."""
        self.compaction.asker.client.close()


def open_spending(
    settings: Settings,
    kind: SessionKind,
    *,
    session: LlmClient,
    recorded: Wrap,
    stream: EventStream,
    masker: SecretMasker,
    prompt_text: Callable[[str], str],
    earlier: Iterable[Event] = (),
) -> Spending:
    """`earlier`: what another process had done in this session; the rest as `open_reviewing` takes it."""
    totals = UsageTotals(session.model)
    totals.catch_up(earlier)
    stream.subscribe(totals)
    limits = Limits(settings.max_steps, settings.max_budget_tokens, settings.max_budget_usd, totals.spent_usd)
    client = session if settings.small_model is None else recorded(open_client(settings.small_model, kind))
    asker = ModelAsker(client, masker=masker, session=session)
    parts = CompactionParts(asker, lambda: prompt_text(PROMPT), stream, masker, Calibration())
    return Spending(limits, totals, parts)


def spending_report(totals: UsageTotals, limit_usd: float | None) -> "SpendingReport":
    from paicli.ui.queries import SpendingReport  # start-up: 3 ms that only /cost needs

    nobody = Spender("", "")
    rows = tuple(_row(spender, spent) for spender, spent in totals.rows)
    turn, session = _row(nobody, totals.turn), _row(nobody, totals.session)
    return SpendingReport(rows, turn, session, limit_usd, totals.spent_usd())


def _row(spender: Spender, spent: Spent) -> "SpentRow":
    from paicli.ui.queries import SpentRow  # start-up: as above

    actor = f"{spender.plan_id} {spender.actor}" if spender.plan_id else spender.actor
    return SpentRow(actor, spender.model, spent.requests, spent.usage, spent.cost_usd, spent.unpriced)
