"""Puts a system prompt together, always in the same order, so that the prefix of requests stays byte-identical."""

from enum import StrEnum

from paicli.context.project_rules import ProjectRules
from paicli.context.prompt_library import PromptLibrary
from paicli.core.catalogue.lookup import model_text


class PromptMode(StrEnum):
    REACT = "react"
    PLANNER = "planner"
    PLAN = "plan"


class SystemPrompts:
    """The system prompts of one session: base, mode, project rules, what the command line adds."""

    def __init__(self, library: PromptLibrary, rules: ProjectRules, *, appended: str = "") -> None:
        self._library = library
        self.rules = rules
        """What is assembled now has these."""
        self._appended = appended

    def use_rules(self, rules: ProjectRules) -> None:
        """For what is assembled from now on."""
        self.rules = rules

    def assemble(self, mode: PromptMode, **fields: str) -> str:
        """`fields` fill the mode's template; nothing that changes between requests may be among them.

        The planner gets no base: it has no tools and answers with JSON alone.
        """
        parts = [] if mode is PromptMode.PLANNER else [self._library.text("base.md")]
        template = self._library.text(f"modes/{mode.value}.md")
        for name, value in fields.items():
            template = template.replace("{" + name + "}", value)
        parts.append(template)
        if self.rules.text:
            parts.append(model_text("context.project_rules", text=self.rules.text))
        if self._appended:
            parts.append(self._appended)
        return "\n\n".join(parts)
