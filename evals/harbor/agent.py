"""paicli as an agent of Harbor: `harbor run --agent-import-path evals.harbor.agent:Paicli …` (evals/README.md).

The only module here that needs Harbor, which wants Python 3.12; what can be said without it stands in its neighbours.
"""

import os
from pathlib import Path
from typing import Annotated

try:
    from typing import override  # of Python 3.12, as Harbor

    from harbor.agents.capabilities import AgentCapabilities
    from harbor.agents.installed.base import BaseInstalledAgent, with_prompt_template
    from harbor.agents.options import Cli, InstalledAgentOptions
    from harbor.environments.base import BaseEnvironment
    from harbor.models.agent.context import AgentContext
    from pydantic import Field
except ImportError as error:
    raise ImportError("evals.harbor.agent needs Harbor (Python >= 3.12): pip install harbor") from error

from evals.harbor.commands import (
    PACKAGE,
    SYSTEM_PYTHON,
    VERSION_COMMAND,
    RunRequest,
    environment_of,
    install_command,
    run_command,
)
from evals.harbor.outcome import read_outcome


class PaicliOptions(InstalledAgentOptions):
    package: Annotated[
        str | None, Field(default=None, description="A wheel or sdist of this machine; none: paicli by name.")
    ] = None
    plan: Annotated[bool, Field(default=False, description="Plan first, carry the plan out unreviewed.")] = False
    max_turns: Annotated[int | None, Cli("--max-turns"), Field(default=None, description="Steps of the turn.")] = None


class Paicli(BaseInstalledAgent):
    """Installed into the task's container, run once per instruction; its journals come back with the logs."""

    capabilities = AgentCapabilities(resume=True, native_web_tools=True)
    options_model = PaicliOptions
    options: PaicliOptions

    @staticmethod
    @override
    def name() -> str:
        return PACKAGE

    @override
    def get_version_command(self) -> str | None:
        return VERSION_COMMAND

    @override
    def parse_version(self, stdout: str) -> str:
        return stdout.strip().removeprefix(PACKAGE).strip()

    @override
    async def install(self, environment: BaseEnvironment) -> None:
        await self.exec_as_root(environment, command=SYSTEM_PYTHON)
        if self.options.package is None:
            source = f"{PACKAGE}=={self._version}" if self._version else PACKAGE
        else:
            package = Path(self.options.package)
            source = f"/installed-agent/{package.name}"
            await self._upload_agent_owned_file(environment, package, source)
        await self.exec_as_agent(environment, command=install_command(source))

    @override
    @with_prompt_template
    async def run(self, instruction: str, environment: BaseEnvironment, context: AgentContext) -> None:
        request = RunRequest(
            instruction,
            self.environment_logs_dir,
            model=self.model_name or "",
            is_planned=self.options.plan,
            is_continued=self._resume,
            has_web=not self.options.disable_web_search,
            flags=self.build_cli_flags(),
        )
        known = {**os.environ, **self._extra_env}
        await self.exec_as_agent(environment, command=run_command(request), env=environment_of(known, request))

    @override
    def populate_context_post_run(self, context: AgentContext) -> None:
        outcome = read_outcome(self.logs_dir)
        context.metadata = {**(context.metadata or {}), **outcome.metadata}
        if outcome.requests:
            context.n_input_tokens = outcome.input_tokens
            context.n_cache_tokens = outcome.cached_tokens
            context.n_output_tokens = outcome.output_tokens
            context.cost_usd = outcome.cost_usd
