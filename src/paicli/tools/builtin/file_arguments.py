"""The arguments of the file tools; prompts/tools/ explains them to the model."""

from typing import Any, cast

from pydantic import AliasChoices, BaseModel, ConfigDict, Field

_OLD = AliasChoices("old_text", "old_string")
_NEW = AliasChoices("new_text", "new_string")


def _only_what_a_model_needs(schema: dict[str, Any]) -> None:
    """Every byte here is sent with every request."""
    schema.pop("additionalProperties", None)
    schema.pop("description", None)
    for field in cast(dict[str, dict[str, Any]], schema.get("properties", {})).values():
        if field.get("default") in (False, [], None, ""):
            field.pop("default", None)


class _Arguments(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", json_schema_extra=_only_what_a_model_needs)


class ReadFileArguments(_Arguments):
    path: str
    offset: int = Field(1, ge=1)
    limit: int = Field(2000, ge=1)
    column: int = Field(1, ge=1)


class WriteFileArguments(_Arguments):
    path: str
    content: str


class Replacement(_Arguments):
    old_text: str = Field(validation_alias=_OLD)
    new_text: str = Field(validation_alias=_NEW)
    replace_all: bool = False


class EditFileArguments(_Arguments):
    """Either old_text and new_text, or edits."""

    path: str
    old_text: str | None = Field(None, validation_alias=_OLD)
    new_text: str | None = Field(None, validation_alias=_NEW)
    replace_all: bool = False
    edits: list[Replacement] = []


class ListDirArguments(_Arguments):
    path: str = "."
    depth: int = Field(1, ge=1, le=10)


class GlobFilesArguments(_Arguments):
    pattern: str
    path: str = "."


class GrepCodeArguments(_Arguments):
    pattern: str
    path: str = "."
    glob: str = ""
    literal: bool = False
    ignore_case: bool = False
    context: int = Field(0, ge=0, le=5)
    files_only: bool = False
    max_results: int = Field(50, ge=1, le=200)
