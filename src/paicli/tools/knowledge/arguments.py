"""The arguments of load_skill and save_memory; prompts/tools/ explains them to the model."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from paicli.tools.builtin.command_arguments import WellFormed


class LoadSkillArguments(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    name: Annotated[str, WellFormed] = Field(max_length=1_000)


class SaveMemoryArguments(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    text: Annotated[str, WellFormed] = Field(max_length=10_000)
