"""What is examined, and how a finding is made."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from paicli.app.streams import Streams
from paicli.app.trust.project_trust import NOTHING_BROUGHT, ProjectTrust
from paicli.core.faults import Fault, Finding, Verdict


class TerminalFacts(NamedTuple):
    """What is known of the terminal without asking it anything."""

    is_terminal: bool
    """Both ends are one."""
    columns: int
    encoding: str


class Subject(NamedTuple):
    """One installation in one folder, as it would start now."""

    environ: Mapping[str, str]
    home: Path
    project_root: Path
    terminal: TerminalFacts
    model_option: str = ""
    base_url_option: str = ""
    is_offline: bool = False
    trust: ProjectTrust = NOTHING_BROUGHT
    """What may be used of the folder's own files."""


def terminal_facts(streams: Streams) -> TerminalFacts:
    """Of this process."""
    encoding = getattr(streams.stdout, "encoding", None) or "utf-8"
    return TerminalFacts(streams.is_terminal, streams.output_columns, encoding.lower())


def ok(code: str, **fields: object) -> Finding:
    return Finding(Verdict.OK, Fault.of(code, **fields))


def warn(code: str, **fields: object) -> Finding:
    return Finding(Verdict.WARN, Fault.of(code, **fields))


def bad(code: str, **fields: object) -> Finding:
    return Finding(Verdict.BAD, Fault.of(code, **fields))
