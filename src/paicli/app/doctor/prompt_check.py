"""Which prompts are the user's own: an update of paicli changes none of them."""

from collections.abc import Iterator
from pathlib import Path

from paicli.app.doctor.subject import ok, warn
from paicli.context.prompt_library import PromptLibrary
from paicli.core.faults import Finding

_MOST_NAMES = 20


def check_prompts(home: Path) -> Iterator[Finding]:
    folder = home / "prompts"
    own = _names(folder)
    # A skill is replaced by one of the same name in the user's own skills.
    known = {name for name in _names(PromptLibrary().packaged) if not name.startswith("skills/")}
    used = sorted(own & known)
    if not own:
        yield ok("doctor.prompts")
    if used:
        yield ok("doctor.prompts_own", path=folder, names=", ".join(used[:_MOST_NAMES]))
    if own - known:
        yield warn("doctor.prompts_unknown", path=folder, names=", ".join(sorted(own - known)[:_MOST_NAMES]))


def _names(folder: Path) -> set[str]:
    try:
        return {path.relative_to(folder).as_posix() for path in folder.rglob("*.md")}
    except OSError:
        return set()
