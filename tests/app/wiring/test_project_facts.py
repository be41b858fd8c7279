from pathlib import Path

from paicli.app.wiring.project_facts import git_branch


def test_the_branch_is_read_without_running_git(tmp_path: Path) -> None:  # C81
    inner = tmp_path / "a"
    (tmp_path / ".git").mkdir()
    inner.mkdir()
    (tmp_path / ".git" / "config").write_text('[core]\n\tfsmonitor = "touch MARK; false"\n')
    head = tmp_path / ".git" / "HEAD"
    for text, branch in (
        ("ref: refs/heads/feature/x\n", "feature/x"),
        ("0123456789abcdef0123456789abcdef01234567\n", "01234567"),
        ("nonsense\n", ""),
        ("", ""),
    ):
        head.write_text(text)
        assert git_branch(inner) == branch
    head.unlink()
    assert git_branch(inner) == ""
    assert not list(tmp_path.rglob("MARK"))


def test_a_worktree_is_followed_to_its_own_head(tmp_path: Path) -> None:
    real = tmp_path / "main" / ".git" / "worktrees" / "w"
    real.mkdir(parents=True)
    (real / "HEAD").write_text("ref: refs/heads/side\n")
    tree = tmp_path / "w"
    tree.mkdir()
    (tree / ".git").write_text(f"gitdir: {real}\n")
    assert git_branch(tree) == "side"
    (tree / ".git").write_text("gibberish")
    assert git_branch(tree) == ""


def test_no_repository_has_no_branch(tmp_path: Path) -> None:
    assert git_branch(tmp_path) == ""
