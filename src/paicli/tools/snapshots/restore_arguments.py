"""The arguments of the tool restore; prompts/tools/ explains them to the model."""

from pydantic import BaseModel, ConfigDict


class RestoreArguments(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")

    turn: str = "last"
