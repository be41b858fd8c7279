"""What a session is told at its start of itself and the project, read without running anything of it."""

import re
from pathlib import Path

from paicli.app.settings import Settings
from paicli.llm.client import LlmClient
from paicli.ui.facts import ColorUse, SessionFacts
from paicli.version import VERSION

_HEAD_LIMIT_BYTES = 4_096


def session_facts(settings: Settings, client: LlmClient) -> SessionFacts:
    """What does not hang on the session's other parts."""
    return SessionFacts(
        version=VERSION,
        project=str(settings.project_root),
        provider=client.provider,
        model=client.model,
        window_tokens=client.capabilities.window_tokens,
        mode=settings.mode,
        language=settings.language.value,
        git_branch=git_branch(settings.project_root),
        is_ascii=settings.is_ascii,
        color=ColorUse.ALLOWED if settings.color else ColorUse.NEVER,
        theme=settings.theme,
        notify=settings.notify,
    )


def git_branch(project_root: Path) -> str:
    """The branch that is checked out, a short commit id when none is, "" outside a repository.

    Reads `.git/HEAD` itself: git, asked by us, would run what the repository's configuration names.
    """
    for folder in (project_root, *project_root.parents):
        marker = folder / ".git"
        if marker.is_dir():
            return _branch_of(marker)
        if marker.is_file():
            named = re.match(r"gitdir:\s*(.+)", _first_line(marker))
            return _branch_of(folder / named.group(1)) if named else ""
    return ""


def _branch_of(git_folder: Path) -> str:
    head = _first_line(git_folder / "HEAD")
    if head.startswith("ref: refs/heads/"):
        return head.removeprefix("ref: refs/heads/")
    return head[:8] if re.fullmatch(r"[0-9a-f]{40,64}", head) else ""


def _first_line(path: Path) -> str:
    try:
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            raw = file.read(_HEAD_LIMIT_BYTES)
    except OSError:
        return ""
    lines = raw.decode("utf-8", "replace").splitlines()
    return lines[0].strip() if lines else ""
