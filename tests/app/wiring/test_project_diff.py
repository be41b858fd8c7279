import os
import subprocess
from pathlib import Path

import pytest

from paicli.app.wiring.project_diff import project_diff
from paicli.core.cancellation import CancellationToken
from paicli.core.faults import Fault
from paicli.ui.queries import ProjectDiff


class Repository:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(exist_ok=True)
        self.environ = {"PATH": os.environ["PATH"], "HOME": str(folder.parent)}
        self.git("init", "-q", "-b", "main")
        self.git("config", "user.email", "t@example.com")
        self.git("config", "user.name", "t")

    def git(self, *arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=self.folder, env=self.environ, check=True, capture_output=True)
        return done.stdout.decode()

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def commit(self) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "x")

    def diff(self, below: str = ".") -> ProjectDiff:
        return project_diff(self.folder / below, self.environ, CancellationToken())


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    return Repository(tmp_path / "repo")


def test_staged_and_unstaged_changes_and_untracked_names_are_shown(repository: Repository) -> None:
    repository.write("a.txt", "one\n")
    repository.write("b.txt", "one\n")
    repository.write(".gitignore", "*.log\n")
    repository.commit()
    repository.write("a.txt", "two\n")
    repository.git("add", "a.txt")
    repository.write("b.txt", "three\n")
    repository.write("new 名.txt", "x")
    repository.write("x.log", "x")
    found = repository.diff()
    assert "-one\n+two\n" in found.diff
    assert "-one\n+three\n" in found.diff
    assert found == ProjectDiff(found.diff, ("new 名.txt",))


def test_only_what_lies_below_the_root_is_shown(repository: Repository) -> None:
    repository.write("above.txt", "one\n")
    repository.write("sub/in.txt", "one\n")
    repository.commit()
    repository.write("above.txt", "changed\n")
    repository.write("sub/in.txt", "two\n")
    found = repository.diff("sub")
    assert "+++ b/in.txt" in found.diff
    assert "changed" not in found.diff


def test_before_the_first_commit_all_that_is_staged_is_new(repository: Repository) -> None:
    repository.write("a.txt", "one\n")
    repository.git("add", "a.txt")
    assert "+one" in repository.diff().diff


def test_outside_a_repository_and_without_git_that_is_said(tmp_path: Path) -> None:
    found = project_diff(tmp_path, {"PATH": os.environ["PATH"]}, CancellationToken())
    assert found.fault is not None
    assert "not a git repository" in dict(found.fault.fields)["reason"]
    nowhere = project_diff(tmp_path, {"PATH": str(tmp_path)}, CancellationToken())
    assert nowhere == ProjectDiff(fault=Fault("session.diff_no_git"))


def test_nothing_that_the_repository_names_is_run(repository: Repository) -> None:  # C81
    repository.write("a.txt", "one\n")
    repository.write("b.odd", "one\n")
    repository.commit()
    mark = repository.folder.parent / "MARK"
    script = repository.folder / "evil.sh"
    script.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n")
    script.chmod(0o755)
    hooks = repository.folder / "hooks"
    hooks.mkdir()
    for hook in ("post-index-change", "reference-transaction", "fsmonitor-watchman"):
        (hooks / hook).write_text(f"#!/bin/sh\ntouch {mark}\n")
        (hooks / hook).chmod(0o755)
    for key, value in {
        "core.fsmonitor": str(script),
        "core.hooksPath": str(hooks),
        "core.pager": str(script),
        "pager.diff": str(script),
        "diff.external": str(script),
        "diff.odd.command": str(script),
        "diff.odd.textconv": str(script),
        "filter.odd.clean": str(script),
        "filter.odd.smudge": str(script),
        "filter.odd.process": str(script),
        "filter.odd.required": "true",
        "filter.with.dots in it.clean": str(script),
        "core.sshCommand": str(script),
        "alias.diff": f"!{script}",
        "alias.ls-files": f"!{script}",
    }.items():
        repository.git("config", key, value)
    repository.write(".gitattributes", "*.odd diff=odd filter=odd\na.txt filter=with.dots\n")
    repository.write("a.txt", "two\n")
    repository.write("b.odd", "two\n")
    found = repository.diff()
    assert not mark.exists()
    assert "-one\n+two\n" in found.diff
    assert ".gitattributes" in found.untracked
    # The bait is good: git, asked plainly, runs it.
    subprocess.run(["git", "diff"], cwd=repository.folder, env=repository.environ, check=False, capture_output=True)
    assert mark.exists()


def test_a_missing_object_is_never_fetched(repository: Repository) -> None:  # C81
    repository.write("a.txt", "one\n")
    repository.commit()
    mark = repository.folder.parent / "MARK"
    repository.git("config", "core.repositoryformatversion", "1")
    repository.git("config", "extensions.partialClone", "origin")
    repository.git("config", "remote.origin.url", f"ext::sh -c touch% {mark}")
    repository.git("config", "remote.origin.promisor", "true")
    repository.git("config", "protocol.ext.allow", "always")
    blob = repository.git("rev-parse", "HEAD:a.txt").strip()
    (repository.folder / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    repository.write("a.txt", "two\n")
    assert repository.diff().fault is not None
    assert not mark.exists()


def test_a_filter_that_can_not_be_switched_off_ends_it(repository: Repository) -> None:
    repository.write("a.txt", "one\n")
    repository.commit()
    with (repository.folder / ".git" / "config").open("a") as config:
        config.write('[filter "a=b"]\n\tclean = cat\n')
    assert repository.diff() == ProjectDiff(fault=Fault("session.diff_failed", (("reason", "filter"),)))
