"""Arguments of the tools for commands, projects and the todo list. Building these models costs pydantic's import."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=500)]
Command = Annotated[str, StringConstraints(min_length=1, max_length=100_000, pattern=r"\S")]


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
