from pathlib import Path

import pytest

from paicli.system.sandbox.bubblewrap import bubblewrap_arguments
from paicli.system.sandbox.confinement import Confinement, SandboxMode, confinement_of
from paicli.system.sandbox.seatbelt import seatbelt_arguments, seatbelt_profile

ROOT, HOME, OWN, TEMP = Path("/w/p"), Path("/home/u"), Path("/home/u/.paicli"), Path("/tmp/own")


def confinement(mode: SandboxMode, *there: str, folders: tuple[Path, ...] = (ROOT,)) -> Confinement:
    present = {Path(path) for path in (*there, "/tmp", *map(str, folders))}
    return confinement_of(
        mode,
        folders,
        user_home=HOME,
        own_home=OWN,
        shown=(OWN / "results", Path("/usr/lib/script")),
        temp=TEMP,
        exists=lambda path: path in present or path in {OWN / "results", Path("/usr/lib/script")},
        resolve=lambda path: path,
    )


def pairs(arguments: list[str], option: str) -> list[tuple[str, str]]:
    return [(arguments[at + 1], arguments[at + 2]) for at, each in enumerate(arguments) if each == option]


def test_a_project_is_writable_but_for_what_others_would_run_later() -> None:
    found = confinement(
        SandboxMode.WORKSPACE, "/w/p/.git", "/w/p/.git/config", "/w/p/.git/hooks", "/w/p/.paicli", "/home/u/.ssh",
        "/home/u/.paicli", "/home/u/.netrc",
    )  # fmt: skip
    assert found == Confinement(
        writable=(ROOT, ROOT / ".git"),
        frozen=(ROOT / ".git/config", ROOT / ".git/hooks", ROOT / ".paicli"),
        hidden_folders=(OWN, HOME / ".ssh"),
        hidden_files=(HOME / ".netrc",),
        shown=(OWN / "results", Path("/usr/lib/script")),
        temp=TEMP,
        temp_places=(Path("/tmp"),),
        has_network=True,
    )


def test_a_repository_without_hooks_gets_none() -> None:
    found = confinement(SandboxMode.WORKSPACE, "/w/p/.git", "/w/p/.git/config")
    assert found.hidden_folders == (ROOT / ".git/hooks",)
    assert not confinement(SandboxMode.WORKSPACE, "/w/p/.git").hidden_folders  # a file or no repository yet


def test_the_vector_of_bubblewrap_is_this_one() -> None:
    found = confinement(SandboxMode.STRICT, "/w/p/.git", "/w/p/.git/config", "/w/p/.git/hooks", "/home/u/.paicli")
    assert bubblewrap_arguments("/usr/bin/bwrap", found, ["bash", "-c", "x"], cwd=ROOT) == [
        "/usr/bin/bwrap", "--unshare-pid", "--unshare-ipc", "--unshare-net", "--cap-drop", "ALL",
        "--ro-bind", "/", "/",
        "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/run", "--bind", "/tmp/own", "/tmp",
        "--ro-bind-try", "/run/current-system", "/run/current-system", "--ro-bind-try", "/run/wrappers",
        "/run/wrappers",
        "--bind-try", "/w/p", "/w/p",
        "--bind-try", "/w/p/.git", "/w/p/.git",
        "--tmpfs", "/home/u/.paicli",
        "--ro-bind-try", "/home/u/.paicli/results", "/home/u/.paicli/results",
        "--ro-bind-try", "/w/p/.git/config", "/w/p/.git/config",
        "--ro-bind-try", "/w/p/.git/hooks", "/w/p/.git/hooks",
        "--remount-ro", "/run", "--remount-ro", "/home/u/.paicli",
        "--chdir", "/w/p", "--", "bash", "-c", "x",
    ]  # fmt: skip


def test_only_the_strict_one_has_no_network_and_names_are_looked_up_in_the_other() -> None:
    strict = bubblewrap_arguments("bwrap", confinement(SandboxMode.STRICT), ["true"], cwd=ROOT)
    workspace = bubblewrap_arguments("bwrap", confinement(SandboxMode.WORKSPACE), ["true"], cwd=ROOT)
    assert "--unshare-net" in strict
    assert "--unshare-net" not in workspace
    assert ("/run/systemd/resolve", "/run/systemd/resolve") in pairs(workspace, "--ro-bind-try")
    assert ("/run/systemd/resolve", "/run/systemd/resolve") not in pairs(strict, "--ro-bind-try")


@pytest.mark.parametrize(
    ("folders", "there", "before", "after"),
    [
        # a project in the temporary folder, in the home folder's hidden part, and the home folder as the project
        ((Path("/tmp/p"),), (), "/tmp", "/tmp/p"),
        ((OWN / "p",), (str(OWN),), str(OWN), str(OWN / "p")),
        ((HOME,), (str(OWN),), str(HOME), str(OWN)),
        ((Path("/"),), ("/home/u/.ssh",), "/", "/home/u/.ssh"),
    ],
)
def test_the_nearer_of_two_folders_is_mounted_last(
    folders: tuple[Path, ...], there: tuple[str, ...], before: str, after: str
) -> None:
    arguments = bubblewrap_arguments(
        "bwrap", confinement(SandboxMode.WORKSPACE, *there, folders=folders), ["true"], cwd=folders[0]
    )
    arguments = arguments[: arguments.index("--remount-ro")]
    last = {path: at for at, path in enumerate(arguments)}
    assert last[before] < last[after]


def test_a_folder_to_stand_in_is_there_even_where_the_temporary_folder_is_another() -> None:
    arguments = bubblewrap_arguments("bwrap", confinement(SandboxMode.WORKSPACE), ["true"], cwd=Path("/tmp/gone"))
    assert ("/tmp/gone", "/tmp/gone") in pairs(arguments, "--ro-bind-try")


def test_the_profile_of_sandbox_exec_is_this_one() -> None:
    found = confinement(SandboxMode.STRICT, "/w/p/.paicli", "/home/u/.paicli", "/home/u/.netrc")
    assert seatbelt_profile(found) == (
        "(version 1)\n"
        "(allow default)\n"
        "(deny file-write*)\n"
        '(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/dtracehelper")'
        ' (literal "/dev/stdout") (literal "/dev/stderr"))\n'
        '(allow file-write* (subpath "/tmp/own"))\n'
        '(allow file-write* (subpath "/w/p"))\n'
        '(deny file-write* (subpath "/w/p/.paicli"))\n'
        '(deny file-read* file-write* (subpath "/home/u/.paicli"))\n'
        '(deny file-read* file-write* (subpath "/home/u/.netrc"))\n'
        '(allow file-read* (subpath "/usr/lib/script"))\n'
        '(allow file-read* (subpath "/home/u/.paicli/results"))\n'
        "(deny network*)\n"
        "(deny signal)\n"
        "(allow signal (target same-sandbox))\n"
        "(deny process-info* (target others))\n"
    )
    assert seatbelt_arguments("sandbox-exec", found, ["bash", "-c", "x"])[0::2] == [
        "sandbox-exec",
        seatbelt_profile(found),
        "-c",
    ]


def test_a_path_can_not_end_the_word_it_stands_in() -> None:
    found = confinement(SandboxMode.WORKSPACE, folders=(Path('/w/a")(allow network*)\\'),))
    assert '(subpath "/w/a\\")(allow network*)\\\\")' in seatbelt_profile(found)
    assert "(deny network*)" not in seatbelt_profile(found)
