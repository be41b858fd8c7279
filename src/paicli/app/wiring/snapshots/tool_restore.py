"""The tool restore's way to the snapshots: a person's words become a model's, and the events are told."""

from collections.abc import Generator
from contextlib import contextmanager

from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.errors import ToolFailed, UserFacingError
from paicli.core.event_stream import EventStream
from paicli.core.messages import FileWritten
from paicli.core.unicode import decoded
from paicli.session.snapshots.keeper import SnapshotKeeper
from paicli.session.snapshots.records import RestorePlan
from paicli.tools.snapshots.restore import RestoredFiles
from paicli.tools.tool import ToolContext

_LAST = "last"
_DIFF_LINES = 2_000


class ToolRestore:
    """As `tools.snapshots.restore.PutFilesBack`."""

    def __init__(self, keeper: SnapshotKeeper, stream: EventStream) -> None:
        self._keeper = keeper
        self._stream = stream

    def preview(self, turn: str, context: ToolContext) -> FileWritten:
        with _told_to_model():
            plan = self._plan(turn, context)
            counts = self._keeper.line_counts(plan, context.cancel)
            diff = decoded(self._keeper.plan_diff(plan, context.cancel)).splitlines()
        added = sum(count for count, _ in counts.values())
        removed = sum(count for _, count in counts.values())
        return FileWritten(".", "\n".join(diff[:_DIFF_LINES]), added, removed)

    def restore(self, turn: str, context: ToolContext) -> RestoredFiles:
        with _told_to_model():
            done = self._keeper.restore(self._plan(turn, context), context.cancel)
        self._stream.publish(done, context.origin)
        return RestoredFiles(done.written, done.removed, done.failed)

    def _plan(self, turn: str, context: ToolContext) -> RestorePlan:
        return self._keeper.plan_undo(1, "" if turn == _LAST else turn, context.cancel)


@contextmanager
def _told_to_model() -> Generator[None]:
    try:
        yield
    except UserFacingError as error:
        reason = Texts(Language.ZH).screen(error.code, **error.fields)
        raise ToolFailed("snapshots.tool_refused", reason=reason) from error
