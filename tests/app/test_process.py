# The process as a shell sees it: exit statuses, streams, and never a traceback.
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from paicli.version import VERSION
from tests.patience import PATIENCE_S

ROOT = Path(__file__).parents[2]


def run(
    *argv: str, home: Path, code: str = "", redirect: str = "", environ: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """`python -m paicli argv`, or `code` in its place; `redirect` is added by a shell."""
    command = [sys.executable, *(["-c", code] if code else ["-m", "paicli"]), *argv]
    if redirect:
        command = ["bash", "-c", f'"$@" {redirect}', "bash", *command]
    given = {"PATH": os.environ["PATH"], "HOME": str(home), "PYTHONPATH": str(ROOT / "src"), "LANG": "en_US.UTF-8"}
    return subprocess.run(
        command,
        env=given | (environ or {}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        cwd=home,
        check=False,
    )


def test_the_version_is_that_of_the_package(tmp_path: Path) -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]

    ran = run("--version", home=tmp_path)

    assert (ran.returncode, ran.stdout, ran.stderr) == (0, f"paicli {declared}\n", "")
    assert declared == VERSION


def test_the_version_imports_no_third_party_module_and_nothing_of_the_rooms(tmp_path: Path) -> None:
    code = (
        "import os, sys\n"
        "def leave(status):\n"
        "    names = {name.partition('.')[0] for name in sys.modules}\n"
        "    sys.stderr.write(' '.join(sorted(names - set(sys.stdlib_module_names) - before)))\n"
        "    sys.stderr.write(' '.join(name for name in sys.modules if name.startswith('paicli.')))\n"
        "    sys.stderr.flush()\n"
        "    real(status)\n"
        "real, os._exit = os._exit, leave\n"
        "before = {name.partition('.')[0] for name in sys.modules}\n"
        "from paicli.__main__ import run\n"
        "run()\n"
    )

    ran = run("--version", home=tmp_path, code=code)

    assert (ran.returncode, ran.stdout) == (0, f"paicli {VERSION}\n")
    assert ran.stderr == "paicli" + "paicli.version paicli.__main__"


@pytest.mark.parametrize("argv", [["--help"], ["-h", "demo"], ["--help", "--lang", "zh"]])
def test_help_loads_no_heavy_library(tmp_path: Path, argv: list[str]) -> None:
    code = (
        "import os, sys\n"
        "def leave(status):\n"
        "    heavy = {'httpx', 'pydantic', 'rich', 'prompt_toolkit', 'networkx', 'tree_sitter', 'argparse'}\n"
        "    sys.stderr.write(' '.join(sorted(heavy & set(sys.modules))))\n"
        "    sys.stderr.flush()\n"
        "    real(status)\n"
        "real, os._exit = os._exit, leave\n"
        "from paicli.__main__ import run\n"
        "run()\n"
    )

    ran = run(*argv, home=tmp_path, code=code)

    assert (ran.returncode, ran.stderr) == (0, "")
    assert "--output-format" in ran.stdout


@pytest.mark.parametrize(
    ("argv", "environ", "says"),
    [
        (["--xyzzy"], {}, "paicli: No option --xyzzy; see paicli --help\n"),
        (["--xyzzy"], {"LANG": "C"}, "paicli: 没有选项 --xyzzy;用 paicli --help 查看\n"),
        (["--lang", "zh", "dmo"], {}, "paicli: 没有命令 dmo;是不是 demo?\n"),
        (["mcp"], {}, "paicli: Command mcp is not in this version yet\n"),
    ],
)
def test_a_wrong_line_is_one_line_and_exit_2(
    tmp_path: Path, argv: list[str], environ: dict[str, str], says: str
) -> None:
    ran = run(*argv, home=tmp_path, environ=environ)

    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", says)


@pytest.mark.parametrize("argv", [[], ["-p", "hi"], ["plan", "x"]])
def test_no_model_is_one_line_that_names_variables_and_the_demo(tmp_path: Path, argv: list[str]) -> None:
    ran = run(*argv, home=tmp_path)

    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    for named in ("GLM_API_KEY", "PAICLI_BASE_URL", "PAICLI_MODEL", "PAICLI_API_KEY", "config.toml", "paicli demo"):
        assert named in ran.stderr


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (b"[model]\nx = \n", ":2:5: x: not valid TOML: Invalid value"),
        (b'[model]\nread_timeout_s = "ten"\n', ":2:1: model.read_timeout_s: a number of seconds above 0 is wanted"),
        (b"\xff", ":1:1: not UTF-8"),
    ],
)
def test_a_broken_configuration_is_one_line_and_stays_as_it_is(tmp_path: Path, raw: bytes, says: str) -> None:  # C75
    config = tmp_path / ".paicli" / "config.toml"
    config.parent.mkdir()
    config.write_bytes(raw)

    ran = run("-p", "hi", home=tmp_path, environ={"GLM_API_KEY": "k"})

    assert (ran.returncode, ran.stdout, ran.stderr) == (2, "", f"paicli: {config}{says}\n")
    assert config.read_bytes() == raw


@pytest.mark.parametrize(("argv", "status"), [(["--version"], 1), (["--help"], 1), (["-p", "hi"], 2), (["--xyzzy"], 2)])
def test_a_closed_stdout_is_quiet_and_no_success(tmp_path: Path, argv: list[str], status: int) -> None:  # C52
    ran = run(*argv, home=tmp_path, redirect=">&-", environ={"GLM_API_KEY": "k"})

    assert ran.returncode == status
    assert "Traceback" not in ran.stderr
    assert ran.stderr.count("\n") <= 1


@pytest.mark.parametrize(("redirect", "status"), [("2>&-", 0), ("<&- 2>&-", 0), ("<&- >&- 2>&-", 1)])
def test_other_closed_streams_do_no_harm(tmp_path: Path, redirect: str, status: int) -> None:
    ran = run("--help", home=tmp_path, redirect=redirect)

    assert (ran.returncode, ran.stderr) == (status, "")


def test_a_full_disk_behind_stdout_is_said(tmp_path: Path) -> None:
    ran = run("--help", home=tmp_path, redirect=">/dev/full")

    assert (ran.returncode, ran.stderr) == (1, "paicli: Can't write to standard output: No space left on device\n")


def test_a_reader_that_left_is_quiet(tmp_path: Path) -> None:  # C52
    ran = run("--help", home=tmp_path, redirect="| true; exit ${PIPESTATUS[0]}")

    assert ran.returncode in {0, 1}
    assert ran.stderr == ""


BOOM = """
import os, sys
import paicli.app.main
def boom(argv, environ, streams):
    {body}
paicli.app.main.main = boom
from paicli.__main__ import run
run()
"""


def test_an_unexpected_error_is_one_line_a_private_log_and_exit_1(tmp_path: Path) -> None:
    code = BOOM.format(body="raise ZeroDivisionError('with ' + environ['MY_KEY'] + '\\nand \\x1b[2J more')")

    ran = run(home=tmp_path, code=code, environ={"MY_KEY": "canary-12345"})

    (log,) = (tmp_path / ".paicli" / "logs").iterdir()
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr == f"paicli: Unexpected error ZeroDivisionError: with *** and [2J more; details in {log}\n"
    assert log.stat().st_mode & 0o777 == 0o600
    assert "Traceback" in log.read_text()
    assert "canary" not in log.read_text()


def test_without_a_home_an_unexpected_error_is_still_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    ran = run(
        home=tmp_path,
        code=BOOM.format(body="raise ValueError('odd')"),
        environ={"PAICLI_HOME": str(tmp_path / "file"), "PAICLI_LANG": "fr"},
    )

    assert (ran.returncode, ran.stderr) == (1, "paicli: Unexpected error ValueError: odd\n")


def test_a_dying_thread_leaves_no_traceback(tmp_path: Path) -> None:
    body = "import threading; t = threading.Thread(target=lambda: 1 / 0); t.start(); t.join(); return 0"

    ran = run(home=tmp_path, code=BOOM.format(body=body))

    assert ran.returncode == 0
    assert "Traceback" not in ran.stderr
    assert ran.stderr.startswith("paicli: Unexpected error ZeroDivisionError")


def test_an_interrupt_outside_a_turn_is_130_and_quiet(tmp_path: Path) -> None:
    ran = run(home=tmp_path, code=BOOM.format(body="raise KeyboardInterrupt"))

    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "")


def test_the_exit_status_is_the_one_main_returns_and_output_is_flushed(tmp_path: Path) -> None:
    ran = run(home=tmp_path, code=BOOM.format(body="sys.stdout.write('unflushed'); return 75"))

    assert (ran.returncode, ran.stdout, ran.stderr) == (75, "unflushed", "")


def test_everything_that_is_wrong_is_said_at_once_a_line_each(tmp_path: Path) -> None:
    ran = run(*("-p", "hi", "--add-dir", "nowhere"), home=tmp_path, environ={"PAICLI_PLAN_MAX_REPLANS": "many"})

    lines = ran.stderr.splitlines()
    assert (ran.returncode, ran.stdout, [line.startswith("paicli: ") for line in lines]) == (2, "", [True] * 3)
    assert [word in line for word, line in zip(("GLM_API_KEY", "nowhere", "MAX_REPLANS"), lines, strict=True)] == [
        True
    ] * 3
    assert "Traceback" not in ran.stderr
