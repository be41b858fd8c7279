"""One run of one case: a copy of its workspace, a home of its own, the installed paicli, and what came of it."""

import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from enum import StrEnum
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from evals.e1_replay import Unjudgeable, check, read_journal
from evals.runner.case import Case, CaseBroken
from evals.runner.evidence import Check, Evidence, Record, matches
from evals.runner.service import Missing, filled_case, filled_model, placeholders_of

PAICLI = str(Path(sys.executable).with_name("paicli"))
_KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "JAVA_HOME", "MAVEN_OPTS", "NODE_PATH", "SSL_CERT_FILE", "HTTPS_PROXY")
_MODEL_VARIABLES = ("PAICLI_", "_API_KEY")


class Status(StrEnum):
    GRADED = "graded"
    INVALID = "invalid"
    """Evidence is missing: this says nothing of the score, and is no 0."""
    SKIPPED = "skipped"


class Outcome(NamedTuple):
    """What a run came to."""

    case: str
    conversation: str
    """The prepared conversation's name; "" with a real model."""
    status: Status
    score: float = 0.0
    points: float = 0.0
    checks: tuple[Check, ...] = ()
    gate: str = ""
    """The hard gate that closed: the score is 0."""
    why: str = ""
    """Of an invalid or skipped run."""
    duration_s: float = 0.0
    steps: int = 0
    tokens: int = 0
    tool_calls: int = 0

    @property
    def lost(self) -> tuple[str, ...]:
        return tuple(check.name for check in self.checks if not check.passed)


def run_case(case: Case, *, model: str, conversation: str = "", keep: Path | None = None) -> Outcome:
    """`model`: as `--model` takes it. `keep`: where the run's folder is kept, for a look afterwards."""
    missing = [program for program in case.needs if shutil.which(program) is None]
    if missing:
        hint = f"; {case.packages}" if case.packages else ""
        why = f"missing {', '.join(missing)}{hint}"
        return Outcome(case.id, conversation, Status.SKIPPED, points=case.points, why=why)
    folder = Path(tempfile.mkdtemp(prefix=f"paicli-eval-{case.id}-")).resolve()
    try:
        return _run_in(folder, case, model=model, conversation=conversation)
    except Missing as missing_here:
        return Outcome(case.id, conversation, Status.SKIPPED, points=case.points, why=f"missing {missing_here}")
    finally:
        if keep is not None:
            kept = keep / f"{case.id}-{conversation or 'model'}"
            shutil.rmtree(kept, ignore_errors=True)  # of an earlier run: its links would be in the way
            shutil.copytree(folder, kept, symlinks=True)
        shutil.rmtree(folder, ignore_errors=True)


def _run_in(folder: Path, case: Case, *, model: str, conversation: str) -> Outcome:
    workspace, pristine, home = folder / "workspace", folder / "pristine", folder / "home"
    for copy in (workspace, pristine):
        shutil.copytree(case.workspace, copy, symlinks=True)
    home.mkdir()
    started = time.monotonic()
    with _service(case, folder) as service:
        values = placeholders_of(service)
        case, model = filled_case(case, values), filled_model(model, folder, values)
        if case.config:
            (home / "config.toml").write_text(case.config, encoding="utf-8")
        environment = _environment(folder, home, is_replayed=model.startswith("replay:"))
        environment |= getattr(service, "environment", {})
        done = _paicli(case, workspace, environment, model=model)
    duration_s = time.monotonic() - started
    blank = Outcome(case.id, conversation, Status.INVALID, points=case.points, duration_s=duration_s)
    if isinstance(done, str):
        return blank._replace(why=done)
    try:
        answer, records = _read(done, home)
    except _NoEvidence as error:
        return blank._replace(why=str(error))
    evidence = Evidence(workspace=workspace, pristine=pristine, records=records, answer=answer, folder=folder)
    return _graded(case, evidence, blank)


def _graded(case: Case, evidence: Evidence, blank: Outcome) -> Outcome:
    grader = _module(case.folder / "grade.py")
    gate = _closed_gate(case, evidence) or getattr(grader, "gate", _no_gate)(evidence)
    try:
        checks = tuple(grader.grade(evidence))
    except Exception as error:  # one grader at a loss must not cost the report of all the others
        if not gate:
            return blank._replace(why=f"{case.id}/grade.py: {type(error).__name__}: {error}")
        checks = tuple(Check(name, passed=False, why="not looked at: a gate closed") for name in case.checks)
    if {each.name for each in checks} != set(case.checks) or len(checks) != len(case.checks):
        raise CaseBroken(f"{case.id}/grade.py: yields {[each.name for each in checks]}, not {list(case.checks)}")
    finished = evidence.events("turn_finished")
    usage = [record.get("usage") or {} for record in finished]
    return blank._replace(
        status=Status.GRADED,
        score=0.0 if gate else sum(case.checks[each.name] for each in checks if each.passed),
        checks=checks,
        gate=gate,
        steps=sum(record.get("steps", 0) for record in finished),
        tokens=sum(each.get("input_tokens", 0) + each.get("output_tokens", 0) for each in usage),
        tool_calls=len(evidence.tool_uses),
    )


def _no_gate(_: Evidence) -> str:
    return ""


def _closed_gate(case: Case, evidence: Evidence) -> str:
    """Why the case is zero; "" where no gate closed."""
    strays = sorted(path for path in evidence.changed if not matches(path, case.gates.may_change))
    if strays:
        return f"changed {', '.join(strays[:5])}"
    for use in evidence.tool_uses:
        if use.outcome in {"denied", "cancelled"}:
            continue
        if matches(use.name, case.gates.forbidden_tools):
            return f"used {use.name}"
        spelled = json.dumps(use.arguments, ensure_ascii=False)
        found = [text for text in case.gates.forbidden_text if text in spelled]
        if found:
            return f"{use.name} with {found[0]}"
    return ""


class _NoEvidence(Exception):
    pass


class _Finished(NamedTuple):
    status: int
    stdout: str
    stderr: str


def _paicli(case: Case, workspace: Path, environment: dict[str, str], *, model: str) -> _Finished | str:
    """What paicli said; a text says why the run is no evidence."""
    is_one_turn = len(case.turns) == 1
    command = [PAICLI, *(("-p", case.turns[0], "-y", "--output-format", "json") if is_one_turn else ())]
    command += ["--mode", case.mode, *case.options]
    command += ["--model", model] if model else []
    command += ["--tools", ",".join(case.tools)] if case.tools is not None else []
    for rule in case.allowed:
        command += ["--allowed-tools", rule]
    process = subprocess.Popen(
        command,
        cwd=workspace,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    lines = "" if is_one_turn else "".join(" ".join(turn.split()) + "\n" for turn in (*case.turns, "/exit"))
    try:
        out, err = process.communicate(lines.encode(), timeout=case.timeout_s)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return f"no end after {case.timeout_s:.0f} s"
    return _Finished(process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace"))


def _read(done: _Finished, home: Path) -> tuple[str, list[Record]]:
    """(the final answer, the journal). Raises _NoEvidence."""
    said = done.stderr.strip().splitlines()
    last = said[-1] if said else ""
    if done.status not in {0, 1}:
        raise _NoEvidence(f"exit status {done.status}: {last}")
    journals = list(home.glob("sessions/*/*.jsonl"))
    if len(journals) != 1:
        raise _NoEvidence(f"{len(journals)} journals: {last}")
    try:
        records = read_journal(journals[0].read_text(encoding="utf-8"))
        violations = check(records)
    except Unjudgeable as error:
        raise _NoEvidence(f"journal: {error}") from None
    ends = [record for record in records if record["type"] == "turn_finished"]
    if not ends:
        raise _NoEvidence(f"no turn came to its end: {last}")
    if ends[-1]["status"] == "failed":
        raise _NoEvidence(f"the turn failed: {ends[-1].get('fault') or last}")
    if violations:
        raise _NoEvidence(f"journal breaks {violations[0].rule} at #{violations[0].seq}: {violations[0].what}")
    return str(ends[-1].get("text", "")), records


def _environment(folder: Path, home: Path, *, is_replayed: bool) -> dict[str, str]:
    """Nothing of the person who runs the evals but where programs are, and with a real model how to reach it."""
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    if not is_replayed:
        kept |= {
            name: value
            for name, value in os.environ.items()
            if name.startswith(_MODEL_VARIABLES[0]) or name.endswith(_MODEL_VARIABLES[1])
        }
    return kept | {"HOME": str(folder), "PAICLI_HOME": str(home), "PAICLI_LANG": "zh", "TERM": "dumb", "NO_COLOR": "1"}


def _service(case: Case, folder: Path) -> AbstractContextManager[object]:
    path = case.folder / "service.py"
    return _module(path).start(folder) if path.is_file() else nullcontext()


def _module(path: Path) -> ModuleType:
    name = f"evals_case_{path.parent.name}_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise CaseBroken(f"no {path.parent.name}/{path.name}")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def prepared_runs(cases: list[Case]) -> Iterator[tuple[Case, str, str]]:
    """(case, model, conversation) for every prepared conversation."""
    for case in cases:
        for prepared in case.prepared:
            yield case, f"replay:{prepared.file}", prepared.name
