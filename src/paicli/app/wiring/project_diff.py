"""What is not committed in the project, asked of git without running anything a repository names."""

from collections.abc import Mapping
from pathlib import Path

from paicli.core.cancellation import CancellationToken
from paicli.core.errors import reason_of
from paicli.core.faults import Fault
from paicli.core.unicode import decoded
from paicli.system.captured import Captured
from paicli.system.programs.git import GitMissing, SafeGit, UnsafeFilters
from paicli.ui.queries import ProjectDiff

TIMEOUT_S = 10.0
_DIFF_BYTES = 400_000
_NO_REPOSITORY = 128


def project_diff(root: Path, environ: Mapping[str, str], cancel: CancellationToken) -> ProjectDiff:
    """Tracked files against the last commit, staged or not, and the names of untracked ones; below `root` only."""
    try:
        git = SafeGit(root, environ)
        base = _base(git, cancel)
        if isinstance(base, Fault):
            return ProjectDiff(fault=base)
        diff = git.diff([base, "--", "."], cancel, timeout_s=TIMEOUT_S, max_bytes=_DIFF_BYTES)
        others = git.run(["ls-files", "-z", "--others", "--exclude-standard", "--", "."], cancel, timeout_s=TIMEOUT_S)
    except GitMissing:
        return ProjectDiff(fault=Fault("session.diff_no_git"))
    except UnsafeFilters:
        return ProjectDiff(fault=_failed("filter"))
    except OSError as error:
        return ProjectDiff(fault=_failed(reason_of(error)))
    fault = _fault_of(diff) or _fault_of(others)
    if fault is not None:
        return ProjectDiff(fault=fault)
    names = tuple(name for name in decoded(others.output).split("\0") if name)
    return ProjectDiff(decoded(diff.output), names, diff.is_cut)


def _base(git: SafeGit, cancel: CancellationToken) -> str | Fault:
    """The last commit, else the empty tree."""
    found = git.run(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], cancel, timeout_s=TIMEOUT_S)
    if found.exit_code == _NO_REPOSITORY:
        return _failed(_words(found))
    if found.exit_code == 0:
        return decoded(found.output).strip()
    empty = git.run(["hash-object", "-t", "tree", "/dev/null"], cancel, timeout_s=TIMEOUT_S)
    return _fault_of(empty) or decoded(empty.output).strip()


def _fault_of(done: Captured) -> Fault | None:
    if done.timed_out:
        return Fault("session.diff_slow", (("seconds", f"{TIMEOUT_S:g}"),))
    return None if done.exit_code == 0 or done.is_cut else _failed(_words(done))


def _words(done: Captured) -> str:
    lines = decoded(done.errors).strip().split("\n")
    return lines[0].removeprefix("fatal: ") or f"exit {done.exit_code}"


def _failed(reason: str) -> Fault:
    return Fault("session.diff_failed", (("reason", reason),))
