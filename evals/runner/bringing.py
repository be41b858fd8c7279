"""Programs that cases need and that the machine lacks: brought by package name into a folder of the evals' own."""

import os
import shutil
import subprocess
from pathlib import Path

from evals.runner.case import Case

FOLDER = Path(__file__).parent.parent / "brought"
_TIMEOUT_S = 180


def use_brought() -> None:
    """What an earlier run brought is found on the PATH."""
    bin_folder = FOLDER / "node_modules" / ".bin"
    path = os.environ.get("PATH", os.defpath)
    if bin_folder.is_dir() and str(bin_folder) not in path.split(os.pathsep):
        os.environ["PATH"] = f"{bin_folder}{os.pathsep}{path}"


def bring(cases: list[Case]) -> list[str]:
    """Installs the packages of cases whose programs are missing; what could not be had, a line each."""
    use_brought()
    wanted = {name for case in cases for name in case.npm if any(shutil.which(need) is None for need in case.needs)}
    if not wanted:
        return []
    npm = shutil.which("npm")
    if npm is None:
        return [f"{name}: no npm here" for name in sorted(wanted)]
    FOLDER.mkdir(exist_ok=True)
    command = [npm, "install", "--silent", "--no-fund", "--no-audit", "--prefix", str(FOLDER), *sorted(wanted)]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_TIMEOUT_S, check=False, cwd=FOLDER
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return [f"{name}: {type(error).__name__}" for name in sorted(wanted)]
    use_brought()
    if done.returncode:
        return [f"{name}: npm install ended with {done.returncode}" for name in sorted(wanted)]
    return []
