"""Lines for what is kept beside the conversation: stored sessions, snapshots, memory, skills, and the turn's limits."""

from paicli.core.catalogue.lookup import Texts
from paicli.core.event_bodies.person import PolicyTightened
from paicli.core.event_bodies.stored import (
    FilesRestored,
    MemorySaved,
    SessionForked,
    SessionResumed,
    SkillLoaded,
    SnapshotTaken,
)
from paicli.ui.rendering.styled import Line, Style, lines

StoredBody = (
    SessionResumed | SessionForked | SnapshotTaken | FilesRestored | MemorySaved | SkillLoaded | PolicyTightened
)
_SHOWN_PATHS = 20


def stored_lines(body: StoredBody, texts: Texts) -> list[Line]:
    """Nothing for what went as it should and changed nothing the person sees."""

    def dim(code: str, **fields: object) -> list[Line]:
        return lines(texts.screen(code, **fields), Style.DIM)

    match body:
        case SessionResumed(event_count, skipped_lines):
            shown = dim("stored.read_back", events=event_count)
            damaged = lines(texts.screen("stored.skipped_lines", lines=skipped_lines), Style.WARNING)
            return shown + damaged if skipped_lines else shown
        case SessionForked(from_session):
            return dim("stored.forked_from", session=from_session)
        case SnapshotTaken(left_out=left_out):
            return dim("stored.not_in_snapshot", paths=_some(left_out)) if left_out else []
        case FilesRestored(written=written, removed=removed, failed=failed):
            shown = dim("stored.files_restored", written=len(written), removed=len(removed))
            lost = lines(texts.screen("stored.files_not_restored", paths=_some(failed)), Style.WARNING)
            return shown + lost if failed else shown
        case MemorySaved(path=path):
            return dim("stored.memory_saved", path=path)
        case SkillLoaded(name):
            return dim("stored.skill_loaded", name=name)
        case PolicyTightened(restrictions):
            names = ", ".join(texts.screen(f"restriction.{name}") for name in restrictions)
            return dim("stored.turn_tightened", restrictions=names)


def _some(paths: tuple[str, ...]) -> str:
    return ", ".join(paths[:_SHOWN_PATHS]) + (" …" if len(paths) > _SHOWN_PATHS else "")
