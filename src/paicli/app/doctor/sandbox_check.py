"""Whether the sandbox that the configuration asks for works here: it is tried out on an empty command."""

import os
from pathlib import Path

from paicli.app.config.config_file import ConfigFile
from paicli.app.doctor.subject import Subject, bad, ok
from paicli.core.faults import Finding
from paicli.system.sandbox.confinement import SandboxMode


def check_sandbox(subject: Subject, config: ConfigFile) -> Finding | None:
    """None where it is off."""
    mode = SandboxMode(config.get("sandbox.mode") or SandboxMode.OFF)
    if mode is SandboxMode.OFF:
        return None
    # start-up: 6 ms with what runs programs, and few examinations need it
    from paicli.system.sandbox.sandbox import Sandbox

    sandbox = Sandbox(
        mode,
        lambda: (subject.project_root,),
        user_home=Path.home(),
        own_home=subject.home,
        search_path=subject.environ.get("PATH", os.defpath),
    )
    try:
        refusal = sandbox.refusal()
    finally:
        sandbox.close()
    if refusal is None:
        return ok("doctor.sandbox_works", mode=mode.value, program=sandbox.program_name)
    code = "sandbox.missing" if refusal.code == "missing" else "sandbox.refused"
    return bad(code, mode=mode.value, program=refusal.program, reason=refusal.reason)
