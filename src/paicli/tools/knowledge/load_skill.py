"""The tool load_skill: a skill's text joins the conversation behind the results of the step."""

from typing import TYPE_CHECKING, ClassVar, Protocol, cast

from paicli.core.catalogue.lookup import model_text
from paicli.core.messages import ToolDetail, ToolEffect, ToolResult
from paicli.tools.tool import SkillText, ToolContext

if TYPE_CHECKING:
    from pydantic import BaseModel

    from paicli.tools.knowledge.arguments import LoadSkillArguments


class FindSkill(Protocol):
    def __call__(self, name: str) -> SkillText:
        """Raises ToolFailed that lists the names there are."""
        ...


class LoadSkill:
    name: ClassVar[str] = "load_skill"
    effect: ClassVar[ToolEffect] = ToolEffect.READ
    needs_approval: ClassVar[bool] = False

    def __init__(self, find: FindSkill) -> None:
        self._find = find

    @property
    def arguments_model(self) -> "type[BaseModel]":
        # Lazy: pydantic's first model costs about 50 ms at start-up.
        from paicli.tools.knowledge.arguments import LoadSkillArguments

        return LoadSkillArguments

    def run(self, arguments: "BaseModel", context: ToolContext) -> ToolResult:
        skill = self._find(cast("LoadSkillArguments", arguments).name)
        is_new = context.skills.take_in(skill)
        return ToolResult(model_text("skill.loaded" if is_new else "skill.already", name=skill.name))

    def preview(self, arguments: "BaseModel", context: ToolContext) -> ToolDetail | None:
        return None
