"""Arguments of the web tools: what a model may ask for, how it is checked, and what its schema says."""

from pydantic import BaseModel, ConfigDict, Field


class WebSearchArguments(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    query: str
    max: int = Field(8, ge=1, le=20)


class WebFetchArguments(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)

    url: str
