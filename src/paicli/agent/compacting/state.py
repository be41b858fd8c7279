"""What is remembered of one conversation between its compactions."""

from paicli.context.compaction.gauge import Calibration, ConversationGauge

_AGAIN_AFTER_GROWTH = 1.15
"""A summary that failed is not asked for again before the conversation is that much larger."""


class CompactionState:
    """Belongs to a conversation; only its actor's thread uses it."""

    def __init__(self, calibration: Calibration | None = None) -> None:
        self.gauge = ConversationGauge(calibration or Calibration())
        self.failures = 0
        """Summaries that failed since one succeeded: each next attempt shows the model less."""
        self._failed_at = 0
        self._limits: dict[str, int] = {}

    def window(self, model: str, declared: int) -> int:
        """Tokens: what the model is said to take, or less where its server refused that much."""
        return min(declared, self._limits.get(model, declared))

    def note_refused(self, model: str, limit: int) -> None:
        self._limits[model] = limit

    def note_failure(self, tokens: int) -> None:
        self.failures += 1
        self._failed_at = tokens

    def note_success(self) -> None:
        self.failures = self._failed_at = 0

    def may_try(self, tokens: int) -> bool:
        """False: the same summary has just failed."""
        return not self.failures or tokens >= self._failed_at * _AGAIN_AFTER_GROWTH

    def share_with(self, calibration: Calibration) -> None:
        """From now on corrected by what all conversations of the session learn."""
        self.gauge.use(calibration)
