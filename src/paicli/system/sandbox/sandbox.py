"""The sandbox around a session's commands: finds the system's tool, asks whether it works, and wraps each command."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from paicli.core.cancellation import CancellationToken
from paicli.core.errors import ToolFailed, reason_of
from paicli.core.unicode import clipped, decoded
from paicli.system.captured import run_captured
from paicli.system.sandbox.bubblewrap import bubblewrap_arguments
from paicli.system.sandbox.confinement import Confinement, SandboxMode, confinement_of
from paicli.system.sandbox.confining import ConfinedCommand
from paicli.system.sandbox.seatbelt import seatbelt_arguments

_TRIAL_S = 5.0
_NOT_PASSED_ON = ("SSH_AUTH_SOCK", "SSH_AGENT_PID", "GPG_AGENT_INFO", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR")
"""They name sockets that the sandbox hides."""


class SandboxRefusal(NamedTuple):
    """Why no command can run: the sandbox was asked for and there is none."""

    code: str
    """missing | refused"""
    program: str
    reason: str = ""


class Sandbox:
    """`mode` is workspace or strict. Thread-safe; its temporary folder is made with the first command."""

    def __init__(
        self,
        mode: SandboxMode,
        folders: Callable[[], Sequence[Path]],
        *,
        user_home: Path,
        own_home: Path,
        shown: Sequence[Path] = (),
        search_path: str = os.defpath,
        platform: str = sys.platform,
    ) -> None:
        """`folders`: the project's root and what was added, asked anew for each command. `shown`: see Confinement."""
        self.mode = mode
        self._folders = folders
        self._user_home = user_home
        self._own_home = own_home
        self._shown = tuple(shown)
        self._search_path = search_path
        self._is_mac = platform == "darwin"
        self.program_name = "sandbox-exec" if self._is_mac else "bwrap"
        self._temp: Path | None = None
        self._works_with = ""
        """The program that was tried and did work."""

    def refusal(self) -> SandboxRefusal | None:
        """None where commands can be confined. Tries it out (some 10 ms) until it worked once."""
        program = self._found_program()
        if not program:
            return SandboxRefusal("missing", self.program_name)
        if program == self._works_with:
            return None
        words = self._arguments(program, ["/bin/sh", "-c", ":"], Path("/"))
        try:
            tried = run_captured(words, CancellationToken(), cwd=Path("/"), timeout_s=_TRIAL_S, max_bytes=2_000)
        except OSError as error:
            return SandboxRefusal("refused", program, reason_of(error))
        if tried.exit_code != 0:
            said = " ".join(decoded(tried.errors).split())
            return SandboxRefusal("refused", program, clipped(said, 300) or f"exit {tried.exit_code}")
        self._works_with = program
        return None

    def confine(self, words: Sequence[str], environment: Mapping[str, str], *, cwd: Path) -> ConfinedCommand:
        """Raises ToolFailed where it can't be confined: nothing ever runs without the sandbox that was asked for."""
        refusal = self.refusal()
        if refusal is not None:
            code = "sandbox.missing" if refusal.code == "missing" else "sandbox.refused"
            raise ToolFailed(code, program=refusal.program, reason=refusal.reason, mode=self.mode.value)
        inside = {name: value for name, value in environment.items() if name not in _NOT_PASSED_ON}
        inside["TMPDIR"] = str(self._temp_folder()) if self._is_mac else "/tmp"
        holder = "" if self._is_mac else self._works_with
        return ConfinedCommand(tuple(self._arguments(self._works_with, words, cwd)), inside, holder)

    def confinement(self) -> Confinement:
        """As the next command would have it."""
        return confinement_of(
            self.mode,
            self._folders(),
            user_home=self._user_home,
            own_home=self._own_home,
            shown=self._shown,
            temp=self._temp_folder(),
        )

    def close(self) -> None:
        """Takes the temporary folder away."""
        if self._temp is None:
            return
        import shutil  # start-up: 3 ms, and only a confined session needs it

        temp, self._temp = self._temp, None
        shutil.rmtree(temp, ignore_errors=True)

    def _arguments(self, program: str, words: Sequence[str], cwd: Path) -> list[str]:
        confinement = self.confinement()
        if self._is_mac:
            return seatbelt_arguments(program, confinement, words)
        return bubblewrap_arguments(program, confinement, words, cwd=cwd)

    def _temp_folder(self) -> Path:
        if self._temp is None:
            import tempfile  # start-up: 4 ms, and only a confined session needs it

            try:
                self._temp = Path(tempfile.mkdtemp(prefix="paicli-sandbox-")).resolve()
            except OSError as error:
                reason = reason_of(error)
                raise ToolFailed(
                    "sandbox.refused", program=self.program_name, reason=reason, mode=self.mode.value
                ) from error
        return self._temp

    def _found_program(self) -> str:
        """Never one out of the folders that commands may write to."""
        inside = [folder.resolve() for folder in self._folders()]
        for place in ("/usr/bin", *self._search_path.split(os.pathsep)):
            candidate = Path(place, self.program_name)
            if not candidate.is_absolute() or not os.access(candidate, os.X_OK) or not candidate.is_file():
                continue
            if not any(candidate.resolve().is_relative_to(folder) for folder in inside):
                return str(candidate)
        return ""
