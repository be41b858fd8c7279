"""Arguments of ask_user. Building the model costs pydantic's import."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Question = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2_000)]
Option = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=200)]


class AskUserArguments(BaseModel):
    model_config = ConfigDict(extra="forbid")

    question: Question
    options: list[Option] = Field(default_factory=list[str], max_length=9)
