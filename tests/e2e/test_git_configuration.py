# C81: whatever paicli itself asks git, nothing that the repository's configuration names is run.
import subprocess
from pathlib import Path

from tests.e2e.harness import environment, run_paicli
from tests.fakes.openai_server import OpenAiServer, call, say

HOOKS = ("post-index-change", "reference-transaction", "pre-commit", "post-checkout", "fsmonitor-watchman", "pre-push")


def armed(project: Path, home: Path) -> Path:
    """A repository that would run a program for all that git asks of its configuration; returns what that leaves."""
    mark = home / "MARK"
    script = home / "evil.sh"
    script.write_text(f"#!/bin/sh\ntouch {mark}\ncat\n")
    script.chmod(0o755)

    def git(*arguments: str) -> None:
        subprocess.run(["git", *arguments], cwd=project, env=environment(home, None), check=True, capture_output=True)

    git("init", "-q", "-b", "trunk")
    for name in ("a.txt", "b.odd"):
        (project / name).write_text("one\n")
    git("add", "-A")
    git("-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-q", "-m", "x")
    hooks = project / "hooks"
    hooks.mkdir()
    for name in HOOKS:
        (hooks / name).write_text(script.read_text())
        (hooks / name).chmod(0o755)
    for key in (
        *("core.fsmonitor", "core.pager", "pager.diff", "pager.status", "diff.external", "core.sshCommand"),
        *("core.editor", "core.askPass", "credential.helper", "gpg.program"),
        *("diff.odd.command", "diff.odd.textconv", "filter.odd.clean", "filter.odd.smudge", "filter.odd.process"),
    ):
        git("config", key, str(script))
    git("config", "core.hooksPath", str(hooks))
    git("config", "filter.odd.required", "true")
    for name in ("status", "diff", "ls-files", "rev-parse", "add", "write-tree"):
        git("config", f"alias.{name}", f"!{script}")
    (project / ".gitattributes").write_text("*.odd diff=odd filter=odd\n")
    (project / "a.txt").write_text("two\n")
    (project / "b.odd").write_text("two\n")
    mark.unlink(missing_ok=True)
    return mark


def test_branch_diff_doctor_and_snapshots_run_nothing_of_the_repository(project: Path, home: Path) -> None:
    mark = armed(project, home)
    writes = call("write_file", {"path": "new.txt", "content": "x\n"})
    typed = "/status\n/diff\n/snapshot\n写一个文件\n/doctor offline\n/exit\n"
    with OpenAiServer([writes, say("好")]) as server:
        done = run_paicli(project=project, home=home, server=server, stdin=typed)
    assert "trunk" in done.stdout
    assert "1 + two" in done.stdout
    assert "已保存快照 1" in done.stdout
    assert (project / "new.txt").read_text() == "x\n"
    assert not mark.exists()
    # The bait is good: git, asked plainly, runs it.
    subprocess.run(["git", "status"], cwd=project, env=environment(home, None), check=False, capture_output=True)
    assert mark.exists()
