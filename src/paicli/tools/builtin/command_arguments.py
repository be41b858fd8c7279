"""Arguments of the tools for commands, projects and the todo list. Building these models costs pydantic's import."""

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from paicli.core.unicode import well_formed


def _well_formed(value: object) -> object:
    return well_formed(value) if isinstance(value, str) else value


WellFormed = BeforeValidator(_well_formed)
"""Half a surrogate pair becomes U+FFFD, as on every other way in; pydantic would refuse it in words of its own."""
Text = Annotated[str, WellFormed, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]
Command = Annotated[str, WellFormed, StringConstraints(min_length=1, max_length=100_000, pattern=r"\S")]


class _Arguments(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ExecuteCommandArguments(_Arguments):
    command: Command
    timeout_s: float = Field(60, ge=1, le=600)
    background: bool = False


class BackgroundIdArguments(_Arguments):
    id: str = Field(max_length=100)


class CreateProjectArguments(_Arguments):
    name: str = Field(pattern=r"^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$")
    kind: Literal["java", "python", "node"]


class TodoItemArguments(_Arguments):
    text: Text
    status: Literal["pending", "in_progress", "completed"]


class TodoWriteArguments(_Arguments):
    items: list[TodoItemArguments] = Field(max_length=50)
