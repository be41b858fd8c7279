"""The sandbox of a session, where one is asked for."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from paicli.app.settings import Settings
from paicli.core.faults import Fault
from paicli.system.sandbox.confinement import SandboxMode

if TYPE_CHECKING:
    from paicli.system.sandbox.sandbox import Sandbox


def open_sandbox(
    settings: Settings, folders: Callable[[], Sequence[Path]], *, readable: Sequence[Path] = ()
) -> "Sandbox | None":
    """None where it is off. `folders` may be written to; `readable`: of paicli's own, what commands may read."""
    if settings.sandbox is SandboxMode.OFF:
        return None
    # start-up: 6 ms with what runs programs, and most sessions have no sandbox
    from paicli.system.commands import STAGE_SCRIPT
    from paicli.system.sandbox.sandbox import Sandbox

    return Sandbox(
        settings.sandbox,
        folders,
        user_home=Path.home(),
        own_home=settings.home,
        shown=(*readable, STAGE_SCRIPT),
        search_path=os.environ.get("PATH", os.defpath),
    )


def sandbox_faults(sandbox: "Sandbox | None") -> tuple[Fault, ...]:
    """Why no command will run; empty where the sandbox works or is off. Tries it out: some 10 ms."""
    refusal = sandbox.refusal() if sandbox is not None else None
    if sandbox is None or refusal is None:
        return ()
    fields = (("mode", sandbox.mode.value), ("program", refusal.program), ("reason", refusal.reason))
    return (Fault("sandbox.missing" if refusal.code == "missing" else "sandbox.refused", fields),)
