"""git for paicli's own reading: nothing that a repository's configuration names is run, nothing is written or fetched.

A cloned repository's `.git/config` may name programs (a file system monitor, hooks, external diffs, filters, a remote
to fetch missing objects from). Each of these is switched off; a git that must run one is not asked.
"""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from paicli.core.cancellation import CancellationToken
from paicli.system.captured import Captured, run_captured

_OPTIONS = ("--no-pager", "--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")
_ENVIRONMENT = {
    "LC_ALL": "C.UTF-8",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    # Whatever the configuration says of protocols: none may be used to fetch a missing object.
    "GIT_ALLOW_PROTOCOL": "none",
}
_KEPT = ("HOME", "XDG_CONFIG_HOME", "PATH")
_FILTER_KEYS = "^filter\\..*\\.(clean|smudge|process)$"


class GitMissing(OSError):
    """No git on the PATH."""


class UnsafeFilters(OSError):
    """The configuration names a filter in a way that can't be switched off."""


class SafeGit:
    """Runs git in one folder."""

    def __init__(self, folder: Path, environ: Mapping[str, str]) -> None:
        """Raises GitMissing."""
        program = shutil.which("git", path=environ.get("PATH"))
        if program is None:
            raise GitMissing
        self._program = program
        self._folder = folder
        self._environment = {name: environ[name] for name in _KEPT if name in environ} | _ENVIRONMENT

    def run(
        self, arguments: Sequence[str], cancel: CancellationToken, *, timeout_s: float, max_bytes: int = 1_000_000
    ) -> Captured:
        """Without filters: for what does not look at the content of files. Raises OSError, TurnCancelled."""
        return run_captured(
            [self._program, *_OPTIONS, *arguments],
            cancel,
            cwd=self._folder,
            timeout_s=timeout_s,
            max_bytes=max_bytes,
            environment=self._environment,
        )

    def diff(
        self, arguments: Sequence[str], cancel: CancellationToken, *, timeout_s: float, max_bytes: int
    ) -> Captured:
        """`git diff` of the folder with `arguments`. Raises UnsafeFilters, else as `run`."""
        off = self._filters_off(cancel, timeout_s)
        plain = (
            "diff",
            "--no-color",
            "--no-ext-diff",
            "--no-textconv",
            # Looking for changes inside a submodule would run git there, by that repository's own configuration.
            "--ignore-submodules=dirty",
            "--submodule=short",
            "--relative",
        )
        return self.run([*off, *plain, *arguments], cancel, timeout_s=timeout_s, max_bytes=max_bytes)

    def _filters_off(self, cancel: CancellationToken, timeout_s: float) -> list[str]:
        found = self.run(["config", "-z", "--name-only", "--get-regexp", _FILTER_KEYS], cancel, timeout_s=timeout_s)
        names = {key.rpartition(".")[0] for key in found.output.decode("utf-8", "surrogateescape").split("\0") if key}
        if found.is_cut or found.timed_out or any("=" in name or "\n" in name for name in names):
            raise UnsafeFilters
        options: list[str] = []
        for name in sorted(names):
            for setting in ("clean=", "smudge=", "process=", "required=false"):
                options += ["-c", f"{name}.{setting}"]
        return options
