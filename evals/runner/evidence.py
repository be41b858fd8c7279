"""What a run left behind: the workspace as it was and is, the journal, the answer. Graders look at nothing else."""

import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

Record = dict[str, Any]
_IGNORED = {".git", "__pycache__", ".pytest_cache", "node_modules", "target"}
"""What programs leave behind while they run, and a grader may not hold against a task."""
_TESTS = {
    ".py": re.compile(r"^\s*(?:async )?def test", re.MULTILINE),
    ".mjs": re.compile(r"^\s*(?:test|it)\(", re.MULTILINE),
    ".java": re.compile(r"\b(?:same|check|assert\w*|expect\w*|require\w*)\("),
}
_SKIPPED = re.compile(r"\bskipped=[1-9]\d*|^\W*(?:skipped|todo) [1-9]\d*$", re.MULTILINE)
"""How unittest and node's runner say that a test did not run."""
_FENCE = re.compile(r"```(?:json)?\s*\n(.*?)\n```", re.DOTALL)


class Check(NamedTuple):
    """One thing that was looked at."""

    name: str
    passed: bool
    why: str = ""
    """What was found instead, for a person."""


class Verdicts(NamedTuple):
    """What a grader's own tests said."""

    groups: dict[str, str]
    """Name of a group of tests → what failed first in it; "" where all passed."""
    output: str
    """All they printed."""

    def check(self, name: str, group: str = "") -> Check:
        """The group's verdict; a group that said nothing failed."""
        why = self.groups.get(group or name)
        return Check(name, why == "", f"no verdict: {self.output[-600:]}" if why is None else why)


class ToolUse(NamedTuple):
    """One call as the journal has it."""

    name: str
    arguments: dict[str, Any]
    outcome: str
    """ok | failed | denied | cancelled"""
    content: str
    task_id: str


class Evidence:
    """Read-only, but for `run`, which graders use to build and test in the workspace."""

    def __init__(self, *, workspace: Path, pristine: Path, records: list[Record], answer: str, folder: Path) -> None:
        """`pristine`: a copy of the workspace from before the run. `folder`: of the run, free for a grader's files."""
        self.workspace = workspace
        self.pristine = pristine
        self.records = records
        self.answer = answer
        self.folder = folder

    @cached_property
    def changed(self) -> frozenset[str]:
        """Paths relative to the workspace that were added, changed or removed."""
        before, after = _digests(self.pristine), _digests(self.workspace)
        return frozenset(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))

    @cached_property
    def tool_uses(self) -> tuple[ToolUse, ...]:
        """Every call that was answered, in the order of their starts."""
        finished = {
            (record.get("actor"), record.get("task_id"), record["call_id"]): record
            for record in self.records
            if record["type"] == "tool_finished"
        }
        uses: list[ToolUse] = []
        for record in self.records:
            end = finished.get((record.get("actor"), record.get("task_id"), record.get("call_id")))
            if record["type"] != "tool_started" or end is None:
                continue
            uses.append(
                ToolUse(
                    record["name"],
                    _object(record["arguments"]),
                    end["outcome"],
                    end["content"],
                    record.get("task_id", ""),
                )
            )
        return tuple(uses)

    def events(self, kind: str) -> list[Record]:
        return [record for record in self.records if record["type"] == kind]

    def text(self, path: str) -> str:
        """A file of the workspace; "" where there is none."""
        try:
            return (self.workspace / path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return ""

    def data(self, path: str) -> bytes | None:
        try:
            return (self.workspace / path).read_bytes()
        except OSError:
            return None

    @cached_property
    def json_answer(self) -> Any:
        """The JSON in the final answer, fenced or bare; None where there is none."""
        for candidate in (*reversed(_FENCE.findall(self.answer)), self.answer, _braced(self.answer)):
            try:
                return json.loads(candidate)
            except (ValueError, RecursionError):
                continue
        return None

    def relative(self, path: object) -> object:
        """A path that an answer names, as the task's files are named: "./a" and the absolute one are "a"."""
        if not isinstance(path, str):
            return path
        return path.removeprefix(f"{self.workspace}/").removeprefix("./")

    def run(self, *command: str, cwd: str = ".", timeout_s: float = 120, **environment: str) -> tuple[int, str]:
        """(exit status, stdout and stderr together) of a program in the workspace; 127 where it is missing.

        What it started ends with it where it comes to no end of its own.
        """
        try:
            process = subprocess.Popen(
                command,
                cwd=self.workspace / cwd,
                env=os.environ | environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except FileNotFoundError as error:
            return 127, str(error)
        with process:
            try:
                said, _ = process.communicate(timeout=timeout_s)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                return 124, f"no end after {timeout_s} s"
        return process.returncode, said.decode("utf-8", "replace")

    def own_tests(self, *command: str, timeout_s: float = 120) -> Check:
        """The check `own_tests`: the workspace's tests pass, none is skipped, none was taken away."""
        status, said = self.run(*command, timeout_s=timeout_s)
        before, now = count_tests(self.pristine), count_tests(self.workspace)
        if status != 0:
            return Check("own_tests", passed=False, why=said[-600:])
        skipped = _SKIPPED.search(said)
        found = f"{skipped[0]!r} in what they said" if skipped else f"{now} tests are left of {before}"
        return Check("own_tests", passed=not skipped and now >= before, why=found)

    def as_it_was(self, tests: str = "tests") -> Path:
        """A copy of the code from before the run, with the workspace's tests: they should find what was wrong."""
        before = self.folder / "before"
        if not before.exists():
            shutil.copytree(self.pristine, before)
            shutil.rmtree(before / tests)
            shutil.copytree(self.workspace / tests, before / tests)
        return before

    def bring(self, source: Path) -> Path:
        """A copy of a grader's own file or folder beside the workspace: the task never saw it."""
        target = self.folder / "brought" / source.name
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        else:
            target.parent.mkdir(exist_ok=True)
            shutil.copy(source, target)
        return target

    def hidden(self, *command: str, timeout_s: float = 60, **environment: str) -> Verdicts:
        """Runs a grader's own test program in the workspace. It gets a file as its last argument and writes a line
        there for each group of tests: its name, a tab, and what failed first in it (nothing: all passed).
        """
        result = self.folder / "verdicts.txt"
        result.unlink(missing_ok=True)
        _, output = self.run(*command, str(result), timeout_s=timeout_s, **environment)
        lines = result.read_text(encoding="utf-8").splitlines() if result.is_file() else []
        groups = {name: why for name, tab, why in (line.partition("\t") for line in lines) if tab}
        return Verdicts(groups, output)

    def hidden_python(self, tests: Path, *, timeout_s: float = 60) -> Verdicts:
        """`hidden` for a file of unittest classes: each class is a group; the workspace can be imported from."""
        program = str(Path(__file__).with_name("hidden_tests.py"))
        path = {"PYTHONPATH": str(self.workspace), "PYTHONDONTWRITEBYTECODE": "1"}
        return self.hidden(sys.executable, program, str(self.bring(tests)), timeout_s=timeout_s, **path)


def count_tests(root: Path) -> int:
    """Tests in the files below, by how each language writes them; in Java also what a test asserts."""
    files = [path for path in root.rglob("*") if path.suffix in _TESTS and not _IGNORED.intersection(path.parts)]
    in_tests = [path for path in files if any("test" in part.lower() for part in path.relative_to(root).parts)]
    return sum(
        len(_TESTS[path.suffix].findall(path.read_text(encoding="utf-8", errors="replace"))) for path in in_tests
    )


def matches(path: str, patterns: tuple[str, ...]) -> bool:
    """`**` stands for any folders, `*` for anything within one name."""
    return any(_pattern(pattern).fullmatch(path) for pattern in patterns)


def _pattern(pattern: str) -> re.Pattern[str]:
    parts = re.split(r"(\*\*/?|\*|\?)", pattern)
    spelled = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(spelled.get(part, re.escape(part)) for part in parts), re.DOTALL)


def _digests(root: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for path in sorted(root.rglob("*")):
        relative = path.relative_to(root)
        is_ignored = _IGNORED.intersection(relative.parts) or fnmatchcase(path.name, "*.pyc")
        if is_ignored or (path.is_dir() and not path.is_symlink()):
            continue
        if path.is_symlink():
            found[relative.as_posix()] = f"-> {path.readlink()}"
        elif path.is_file():
            is_executable = bool(path.stat().st_mode & 0o111)
            found[relative.as_posix()] = f"{hashlib.sha256(path.read_bytes()).hexdigest()} {is_executable}"
        else:
            found[relative.as_posix()] = "special"
    return found


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {"_raw": text}
    return value if isinstance(value, dict) else {"_raw": text}


def _braced(text: str) -> str:
    starts = [position for position in (text.find("{"), text.find("[")) if position >= 0]
    end = max(text.rfind("}"), text.rfind("]"))
    return text[min(starts) : end + 1] if starts and end >= 0 else ""
