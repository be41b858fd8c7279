"""`python -m evals.harbor.contract_check`: the agent against Harbor's own classes, in a Python that has Harbor.

Harbor's factory makes the agent, its `setup` installs a wheel of this project, its `run` answers a prepared task, and
its result is read; the container is this machine's shell in a folder of its own. No model, no key, no Docker.
"""

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path, PurePosixPath

from harbor.agents.factory import AgentFactory
from harbor.agents.installed.base import BaseInstalledAgent
from harbor.environments.base import ExecResult
from harbor.models.agent.context import AgentContext

ROOT = Path(__file__).parent.parent.parent
AGENT = "evals.harbor.agent:Paicli"
CASE = ROOT / "evals/cases/A1"
INSTALLED = "/installed-agent"
"""Where Harbor puts what an agent brings; here a folder of the shell's."""


class ShellEnvironment:
    """What the agent uses of a container: its shell and a way to bring a file in."""

    default_user = None

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.workspace = Path(shutil.copytree(CASE / "workspace", folder / "workspace"))
        self.commands: list[str] = []

    def _here(self, text: str) -> str:
        return text.replace(INSTALLED, str(self._folder / "installed-agent"))

    async def exec(
        self,
        command: str,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        timeout_sec: int | None = None,
        user: str | int | None = None,
    ) -> ExecResult:
        self.commands.append(command)
        known = {name: value for name, value in os.environ.items() if name.startswith(("PATH", "PIP_", "LANG"))}
        ran = subprocess.run(
            ["bash", "-c", self._here(command)],
            cwd=cwd or self.workspace,
            env={**known, "HOME": str(self._folder), **(env or {})},
            check=False,
            capture_output=True,
            text=True,
            timeout=timeout_sec,
        )
        return ExecResult(stdout=ran.stdout, stderr=ran.stderr, return_code=ran.returncode)

    async def upload_file(self, source: Path | str, target: str) -> None:
        place = Path(self._here(target))
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, place)


async def checks(folder: Path) -> dict[str, bool]:
    """What was checked → whether it holds."""
    wheels = folder / "wheels"
    build = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(wheels), str(ROOT)]
    subprocess.run(build, check=True)
    (wheel,) = wheels.glob("*.whl")
    logs = folder / "logs"
    logs.mkdir()
    agent = AgentFactory.create_agent_from_import_path(
        AGENT,
        logs_dir=logs,
        model_name=f"replay:{CASE / 'conversations/solution.jsonl'}",
        environment_logs_dir=PurePosixPath(logs),
        package=str(wheel),
        max_turns=30,
    )
    environment, context = ShellEnvironment(folder), AgentContext()
    await agent.setup(environment)
    said = {"an installed agent": isinstance(agent, BaseInstalledAgent), "version known": bool(agent.version())}
    await agent.run((CASE / "task.md").read_text(encoding="utf-8"), environment, context)
    agent.populate_context_post_run(context)
    metadata = context.metadata or {}
    said["the turn completed"] = (metadata.get("status"), metadata.get("exit_status")) == ("completed", 0)
    said["the result's context is filled"] = context.n_input_tokens is not None and not context.is_empty()
    said["the journal came back"] = all((logs / path).is_file() for path in metadata.get("journals", ["none"]))
    said["its own options passed"] = "--max-turns 30" in environment.commands[-1]
    try:
        missing = AgentFactory.create_agent_from_import_path(
            AGENT, logs_dir=logs, model_name="replay:/none", environment_logs_dir=PurePosixPath(logs)
        )
        await missing.run("hi", environment, AgentContext())
        said["no run is no result"] = False
    except RuntimeError:
        said["no run is no result"] = True
    return said


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="paicli-harbor-") as folder:
        said = asyncio.run(checks(Path(folder)))
    for what, holds in said.items():
        print(f"{'ok' if holds else 'BROKEN':8}{what}")
    return 0 if all(said.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
