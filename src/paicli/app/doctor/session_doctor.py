"""The examination as the session's `/doctor` asks for it: the model that is in use, the settings as they stand."""

import os
import sys
from pathlib import Path

from paicli.app.doctor.examination import examine
from paicli.app.doctor.subject import Subject, terminal_facts
from paicli.app.streams import Streams
from paicli.app.trust.project_trust import ProjectTrust
from paicli.core.cancellation import CancellationToken
from paicli.core.faults import Finding

_LIMIT_S = 8.0
"""Of each request: other commands' answers wait behind this one."""


def examine_for_session(
    home: Path, project_root: Path, *, trust: ProjectTrust, model: str, base_url: str, is_offline: bool
) -> tuple[Finding, ...]:
    """All findings. Blocks up to 8 s for each of three requests.

    `model`: `PROVIDER/MODEL` as `--model` takes it; `base_url`: the option's value, empty where it was not given.
    """
    terminal = terminal_facts(Streams(sys.stdin, sys.stdout, sys.stderr))
    subject = Subject(
        os.environ,
        home,
        project_root,
        terminal,
        model_option=model,
        base_url_option=base_url,
        is_offline=is_offline,
        trust=trust,
    )
    return tuple(examine(subject, CancellationToken(), limit_s=_LIMIT_S))
