"""Programs that a case needs are brought by package name, or it is said that they could not be had."""

import shutil
from pathlib import Path

import pytest
from evals.runner import bringing
from evals.runner.bringing import bring
from evals.runner.case import Case, load_case

from tests.evals.test_runner import write_case

NPM = """#!/bin/sh
while [ "$1" != --prefix ]; do shift; done
mkdir -p "$2/node_modules/.bin"
printf '#!/bin/sh\\n' > "$2/node_modules/.bin/wanted-program"
chmod +x "$2/node_modules/.bin/wanted-program"
exit STATUS
"""


@pytest.fixture
def case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Case:
    monkeypatch.setattr(bringing, "FOLDER", tmp_path / "brought")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:/usr/bin:/bin")
    (tmp_path / "bin").mkdir()
    more = 'needs = ["wanted-program"]\nnpm = ["wanted-package@1"]'
    return load_case(write_case(tmp_path / "A3", more=more))


def npm_that_ends_with(status: int, folder: Path) -> None:
    (folder / "npm").write_text(NPM.replace("STATUS", str(status)))
    (folder / "npm").chmod(0o755)


def test_a_missing_program_is_installed_and_found(case: Case, tmp_path: Path) -> None:
    npm_that_ends_with(0, tmp_path / "bin")
    assert bring([case]) == []
    assert shutil.which("wanted-program") == str(tmp_path / "brought/node_modules/.bin/wanted-program")
    (tmp_path / "bin" / "npm").unlink()
    assert bring([case]) == []  # it is there


def test_what_can_not_be_had_is_said(case: Case, tmp_path: Path) -> None:
    npm_that_ends_with(7, tmp_path / "bin")
    assert bring([case]) == ["wanted-package@1: npm install ended with 7"]
