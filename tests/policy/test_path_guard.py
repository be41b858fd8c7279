import os
import unicodedata
from pathlib import Path

import pytest

from paicli.core.catalogue.lookup import SCREEN, model_text
from paicli.core.errors import PolicyDenied, SettingsError
from paicli.policy.path_guard import GuardedPath, PathGuard


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    (folder / ".ssh").mkdir(parents=True)
    (folder / ".ssh" / "id").write_text("key")
    monkeypatch.setenv("HOME", str(folder))
    return folder


@pytest.fixture
def root(tmp_path: Path, home: Path) -> Path:
    folder = tmp_path / "w" / "proj"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "a.py").write_text("a")
    (folder / ".git" / "hooks").mkdir(parents=True)
    return folder


@pytest.fixture
def guard(root: Path) -> PathGuard:
    return PathGuard(root)


def refusal(guard: PathGuard, text: str) -> tuple[str, str]:
    """Code and resolved path; reading and writing must agree."""
    found: list[PolicyDenied] = []
    for check in (guard.for_reading, guard.for_writing):
        with pytest.raises(PolicyDenied) as caught:
            check(text)
        found.append(caught.value)
    assert (found[0].code, found[0].fields) == (found[1].code, found[1].fields)
    model_text(found[0].code, **found[0].fields).encode("utf-8")
    return found[0].code, found[0].fields.get("resolved", "")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("src/a.py", ("src", "a.py")),
        ("./src//a.py", ("src", "a.py")),
        ("src/../src/a.py", ("src", "a.py")),
        (".", ()),
        ("new/deep/file.txt", ("new", "deep", "file.txt")),
        ("src/", ("src",)),
        ("-rf", ("-rf",)),
        (" lead", (" lead",)),
        ("a\nb.txt", ("a\nb.txt",)),
        ("shot 1\u202fPM.txt", ("shot 1\u202fPM.txt",)),
        ("bad\udcff", ("bad\udcff",)),
        (".gitignore", (".gitignore",)),
        (".github/workflows/ci.yml", (".github", "workflows", "ci.yml")),
        ("notes~", ("notes~",)),
        ("~lock.file", ("~lock.file",)),
        ("...", ("...",)),
        ("CON", ("CON",)),
    ],
)
def test_a_path_inside_the_root_passes_resolved_and_below_its_base(  # C33 C79
    guard: PathGuard, root: Path, text: str, parts: tuple[str, ...]
) -> None:
    expected = GuardedPath(root, parts, "/".join(parts) or ".")
    assert [guard.for_reading(text), guard.for_writing(text)] == [expected, expected]


def test_a_name_in_decomposed_form_stays_as_it_is(guard: PathGuard) -> None:  # C33
    name = unicodedata.normalize("NFD", "é.txt")
    assert guard.for_writing(name).parts == (name,)


def test_an_absolute_path_inside_the_root_passes(guard: PathGuard, root: Path) -> None:
    assert guard.for_writing(str(root / "src" / "a.py")) == GuardedPath(root, ("src", "a.py"), "src/a.py")


def test_the_home_sign_means_the_home_folder_and_passes_when_that_lies_inside(home: Path) -> None:
    project = home / "proj"
    project.mkdir()
    assert PathGuard(project).for_writing("~/proj/a").parts == ("a",)


def test_a_file_whose_name_begins_with_the_home_sign_and_a_user_is_found(root: Path) -> None:
    (root / "~root").mkdir()
    assert PathGuard(root).for_reading("~root/x").parts == ("~root", "x")


def test_everything_outside_is_refused_with_the_resolved_path(  # C79
    guard: PathGuard, root: Path, tmp_path: Path, home: Path
) -> None:
    os.symlink("/etc", root / "link")
    os.symlink(tmp_path, root / "newdir")
    os.symlink("newdir", root / "twice")
    (tmp_path / "w" / "proj-evil").mkdir()
    outside = {
        str(tmp_path / "w" / "proj-evil" / "x"): tmp_path / "w" / "proj-evil" / "x",
        "../x": tmp_path / "w" / "x",
        "sub/../../x": tmp_path / "w" / "x",
        "a/../../x": tmp_path / "w" / "x",
        "../../*": tmp_path / "*",
        "..": tmp_path / "w",
        "/": Path("/"),
        "//etc/passwd": Path("/etc/passwd"),
        "link/passwd": Path("/etc/passwd"),
        "link/../x": Path("/x"),
        "newdir/new.txt": tmp_path / "new.txt",
        "twice/not/there/yet": tmp_path / "not" / "there" / "yet",
        "~": home,
        "~/x": home / "x",
        "~root/x": Path(os.path.realpath(os.path.expanduser("~root"))) / "x",
        "/tmp-of-nobody/x": Path("/tmp-of-nobody/x"),
    }
    assert {text: refusal(guard, text) for text in outside} == {
        text: ("policy.path_outside", str(real)) for text, real in outside.items()
    }


def test_the_process_folder_leads_where_it_really_leads(guard: PathGuard, root: Path) -> None:  # C79
    real = os.path.realpath("/proc/self/cwd/../..")
    assert refusal(guard, "/proc/self/cwd/../..") == ("policy.path_outside", real)
    assert refusal(guard, "/proc/self/root/etc/passwd") == ("policy.path_outside", "/etc/passwd")
    assert refusal(PathGuard(Path("/")), "proc/self/environ")[0] == "policy.path_protected"


@pytest.mark.parametrize(
    "text",
    ["", "a\0b", "\0", "x" * 256, "界" * 86, "a/" * 2048 + "b", "\ud800", "ok/\udc00"],
)
def test_a_text_that_can_name_no_file_is_refused_before_the_disk_is_asked(guard: PathGuard, text: str) -> None:  # C82
    assert refusal(guard, text) == ("policy.path_unusable", "")


def test_the_longest_possible_names_pass(guard: PathGuard) -> None:
    assert guard.for_writing("x" * 255).parts == ("x" * 255,)
    assert guard.for_writing("界" * 85).parts == ("界" * 85,)


def test_a_refusal_is_one_short_line_of_valid_text(guard: PathGuard) -> None:
    with pytest.raises(PolicyDenied) as caught:
        guard.for_reading("../\udcff\n" + "y" * 250 + "/" + "z" * 250)
    shown = caught.value.fields["path"]
    assert shown.startswith("../\ufffd\\ny")
    assert len(shown) == 300
    assert shown.endswith("…")


def test_a_root_reached_through_a_link_works(root: Path, tmp_path: Path) -> None:  # C79
    os.symlink(root, tmp_path / "linked")
    guard = PathGuard(tmp_path / "linked")
    expected = GuardedPath(root, ("src", "a.py"), "src/a.py")
    assert guard.root == root
    assert guard.for_writing("src/a.py") == expected
    assert guard.for_writing(str(tmp_path / "linked" / "src" / "a.py")) == expected
    assert guard.for_writing(str(root / "src" / "a.py")) == expected


def test_a_link_inside_the_root_resolves_to_what_it_means(guard: PathGuard, root: Path) -> None:
    os.symlink("src", root / "code")
    os.symlink("src/a.py", root / "a")
    assert guard.for_writing("code/b.py") == GuardedPath(root, ("src", "b.py"), "src/b.py")
    assert guard.for_writing("a").parts == ("src", "a.py")


def test_a_dangling_link_is_judged_by_its_target(guard: PathGuard, root: Path, tmp_path: Path) -> None:
    os.symlink(tmp_path / "nowhere", root / "out")
    os.symlink("later", root / "in")
    assert refusal(guard, "out") == ("policy.path_outside", str(tmp_path / "nowhere"))
    assert guard.for_writing("in").parts == ("later",)


def test_links_in_a_loop_are_refused(guard: PathGuard, root: Path) -> None:
    os.symlink("two", root / "one")
    os.symlink("one", root / "two")
    assert {refusal(guard, text)[0] for text in ("one", "one/x")} == {"policy.path_loop"}


@pytest.mark.parametrize(
    "text",
    [
        ".git",
        ".git/config",
        ".git/hooks/pre-commit",
        ".GIT/config",
        "sub/.git/config",
        "sub/.Git",
        ".g\u200cit/config",
        ".git./config",
        ".git /config",
        "git~1/config",
        "GIT~1",
        "worktree/.git",
        "src/../.git/HEAD",
    ],
)
def test_git_internals_are_neither_read_nor_written(guard: PathGuard, text: str) -> None:
    assert refusal(guard, text)[0] == "policy.path_git"


def test_git_internals_are_found_behind_a_link(guard: PathGuard, root: Path) -> None:
    os.symlink(".git/hooks", root / "innocent")
    assert refusal(guard, "innocent/pre-commit") == ("policy.path_git", str(root / ".git" / "hooks" / "pre-commit"))


def test_protected_places_inside_the_root_are_refused_in_any_case_and_form(home: Path) -> None:
    own = home / ".paicli"
    accent = home / "caf\u00e9"
    guard = PathGuard(home, protected=[own, accent])
    texts = [
        ".ssh/id",
        ".SSH/id",
        "~/.ssh/id",
        ".ssh",
        ".paicli/config.toml",
        ".PaiCli/x",
        "x/../.paicli/y",
        "cafe\u0301/x",
        "CAFE\u0301/x",
    ]
    assert {text: refusal(guard, text)[0] for text in texts} == dict.fromkeys(texts, "policy.path_protected")
    assert guard.for_writing(".sshx/id").parts == (".sshx", "id")
    assert guard.for_writing("sub/.ssh/id").parts == ("sub", ".ssh", "id")


def test_a_link_to_a_protected_place_is_refused(home: Path) -> None:
    os.symlink(home / ".ssh", home / "keys")
    assert refusal(PathGuard(home), "keys/id") == ("policy.path_protected", str(home / ".ssh" / "id"))


def test_a_readable_folder_may_be_read_and_not_written(root: Path, home: Path) -> None:
    results = home / ".paicli" / "sessions" / "s1" / "results"
    guard = PathGuard(root, readable=[results], protected=[home / ".paicli"])
    text = str(results / "r1.txt")
    assert guard.for_reading(text) == GuardedPath(results, ("r1.txt",), text)
    with pytest.raises(PolicyDenied) as caught:
        guard.for_writing(text)
    assert (caught.value.code, caught.value.fields) == ("policy.path_outside", {"path": text, "resolved": text})
    assert refusal(guard, str(results / ".." / "journal")) == (
        "policy.path_outside",
        str(results.parent / "journal"),
    )


def test_a_protected_place_inside_a_readable_folder_stays_closed(root: Path, home: Path) -> None:
    guard = PathGuard(root, readable=[home], protected=[home / ".paicli"])
    assert guard.for_reading("~/notes").parts == ("notes",)
    assert refusal(guard, "~/.paicli/config.toml")[0] == "policy.path_outside"
    assert refusal(guard, "~/.ssh/id")[0] == "policy.path_outside"


def test_a_readable_folder_inside_the_root_that_is_protected_there_can_be_read(home: Path) -> None:
    results = home / ".paicli" / "results"
    guard = PathGuard(home, readable=[results], protected=[home / ".paicli"])
    assert guard.for_reading(".paicli/results/r") == GuardedPath(results, ("r",), ".paicli/results/r")
    with pytest.raises(PolicyDenied):
        guard.for_writing(".paicli/results/r")


def test_an_added_folder_counts_like_the_root(guard: PathGuard, root: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    os.symlink(other, tmp_path / "other-link")
    assert refusal(guard, str(other / "x"))[0] == "policy.path_outside"
    assert guard.add(tmp_path / "other-link") == other
    assert guard.for_writing(str(other / "x")) == GuardedPath(other, ("x",), str(other / "x"))
    assert guard.for_reading("../../other/x").parts == ("x",)
    assert refusal(guard, str(other / ".git" / "config"))[0] == "policy.path_git"
    guard.add(other)
    assert guard.folders == (root, other)
    assert PathGuard(root, added=[other]).folders == (root, other)


def test_adding_a_folder_never_opens_what_is_protected(guard: PathGuard, root: Path, home: Path) -> None:
    guard.add(root / ".git" / "hooks")
    assert refusal(guard, ".git/hooks/pre-commit")[0] == "policy.path_git"
    for folder, code in (
        (home / ".ssh", "policy.added_folder_protected"),
        (home / "no", "policy.added_folder_missing"),
    ):
        with pytest.raises(SettingsError) as caught:
            guard.add(folder)
        assert caught.value.code == code
        assert all(text.format_map(caught.value.fields) for text in SCREEN[code])


def test_a_folder_swapped_for_a_link_after_the_check_leads_nowhere(  # C79
    guard: PathGuard, root: Path, tmp_path: Path
) -> None:
    checked = guard.for_writing("src/new.txt")
    (root / "src").rename(root / "moved")
    os.symlink(tmp_path, root / "src")
    folder = os.open(checked.base, os.O_RDONLY | os.O_DIRECTORY)
    try:
        with pytest.raises(OSError, match="src"):
            os.open(checked.parts[0], os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=folder)
    finally:
        os.close(folder)
    assert refusal(guard, "src/new.txt") == ("policy.path_outside", str(tmp_path / "new.txt"))


def test_the_real_path_of_a_guarded_path_is_absolute(guard: PathGuard, root: Path) -> None:
    assert [guard.for_reading(text).real for text in (".", "src/a.py")] == [str(root), str(root / "src" / "a.py")]
