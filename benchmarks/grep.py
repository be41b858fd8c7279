"""grep_code over 100,000 files, beside `rg` itself over the same files."""

import shutil
import subprocess
import time
from pathlib import Path

from benchmarks.figures import Figure
from benchmarks.measuring import Place, middle, ms
from paicli.core.cancellation import CancellationToken
from paicli.policy.path_guard import PathGuard
from paicli.tools.builtin.grep_code import GrepCode
from paicli.tools.ledger import FileLocks, ReadLedger
from paicli.tools.tool import ToolContext

FILES, PER_FOLDER = 100_000, 500
NEEDLE = "needle_in_one_file"
OWN_MS = 100.0


def measure(repeats: int) -> list[Figure]:
    what = f"grep_code over {FILES:,} files"
    if shutil.which("rg") is None:
        return [Figure(what, "ms", (), note="there is no rg here")]
    with Place() as place:
        fill(place.project, FILES)
        floors, ours = [], []
        for _ in range(repeats):
            floors.append(ms(rg_once(place.project)))
            ours.append(ms(grep_once(place.project)))
    floor_ms = middle(floors)
    return [Figure(what, "ms", tuple(ours), floor_ms + OWN_MS, floor=floor_ms, note="floor: `rg` on the same files")]


def fill(root: Path, count: int) -> None:
    for number in range(count):
        folder = root / f"folder{number // PER_FOLDER}"
        if number % PER_FOLDER == 0:
            folder.mkdir()
        text = f"def function_{number}():\n    return {number}\n" * 5
        (folder / f"module{number}.py").write_text(text + (NEEDLE if number == count // 2 else ""))


def rg_once(root: Path) -> float:
    started = time.perf_counter()
    found = subprocess.run(["rg", "-n", "--", NEEDLE, "."], cwd=root, capture_output=True, text=True, check=True)
    took = time.perf_counter() - started
    if NEEDLE not in found.stdout:
        raise RuntimeError("rg found nothing")
    return took


def grep_once(root: Path) -> float:
    tool = GrepCode()
    context = ToolContext("react", "call_1", CancellationToken(), PathGuard(root), ReadLedger(), FileLocks())
    arguments = tool.arguments_model.model_validate({"pattern": NEEDLE})
    started = time.perf_counter()
    result = tool.run(arguments, context)
    took = time.perf_counter() - started
    if NEEDLE not in result.content:
        raise RuntimeError(f"grep_code found nothing: {result.content}")
    return took
