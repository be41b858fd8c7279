"""git on a repository of paicli's own beside a work tree: no configuration, hook, filter or attribute of others counts.

The work tree's repository is neither read nor written. What goes in comes out byte for byte.
"""

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from paicli.core.cancellation import CancellationToken
from paicli.system.captured import Captured, run_captured
from paicli.system.programs.git import GitMissing

ATTRIBUTES = "* -text -eol -crlf -filter -ident -working-tree-encoding !diff\n"
"""In the repository's own info/attributes, which wins over every `.gitattributes` of the work tree."""

_SETTINGS = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.attributesFile=/dev/null",
    "core.autocrlf=false",
    "core.safecrlf=false",
    "core.fileMode=true",
    "core.symlinks=true",
    "core.ignoreCase=false",
    "core.precomposeUnicode=false",
    # A name is a name: these would refuse `a\\b` or `git~1`, which are ordinary files here.
    "core.protectNTFS=false",
    "core.protectHFS=false",
    "core.quotePath=false",
    "core.looseCompression=1",
    "core.untrackedCache=false",
    "core.splitIndex=false",
    "gc.auto=0",
    "maintenance.auto=false",
)


class SideGit:
    """Runs git for one side repository."""

    def __init__(self, git_dir: Path, work_tree: Path, environ: Mapping[str, str]) -> None:
        """Raises GitMissing."""
        program = shutil.which("git", path=environ.get("PATH"))
        if program is None:
            raise GitMissing
        self._program = program
        self._work_tree = work_tree
        self._environment = {
            "PATH": environ.get("PATH", os.defpath),
            # No file of the person's: also for a git too old for GIT_CONFIG_GLOBAL.
            "HOME": str(git_dir),
            "XDG_CONFIG_HOME": str(git_dir),
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_ATTR_NOSYSTEM": "1",
            "GIT_DIR": str(git_dir),
            "GIT_WORK_TREE": str(work_tree),
            "GIT_TERMINAL_PROMPT": "0",
            "GIT_NO_LAZY_FETCH": "1",
            "GIT_ALLOW_PROTOCOL": "none",
            "GIT_LITERAL_PATHSPECS": "1",
            "GIT_OPTIONAL_LOCKS": "0",
            "LC_ALL": "C.UTF-8",
            **{f"GIT_{role}_{field}": value for role in ("AUTHOR", "COMMITTER") for field, value in _NAMED},
        }

    def run(
        self,
        arguments: Sequence[str],
        cancel: CancellationToken,
        *,
        timeout_s: float,
        max_bytes: int,
        feed: bytes = b"",
        index: Path | None = None,
        excludes: Path | None = None,
    ) -> Captured:
        """`excludes`: one more file of ignore patterns. Raises OSError, TurnCancelled."""
        settings = (*_SETTINGS, f"core.excludesFile={excludes or os.devnull}")
        options = [part for setting in settings for part in ("-c", setting)]
        environment = self._environment | ({"GIT_INDEX_FILE": str(index)} if index is not None else {})
        return run_captured(
            [self._program, "--no-pager", *options, *arguments],
            cancel,
            cwd=self._work_tree,
            timeout_s=timeout_s,
            max_bytes=max_bytes,
            feed=feed,
            environment=environment,
        )


_NAMED = (("NAME", "paicli"), ("EMAIL", "paicli@localhost"))
