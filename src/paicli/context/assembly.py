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
    """The system prompts of one session: base, mode, rules, memory, skills, what the command line adds.

    The planner gets no base, for it has no tools and answers with JSON alone; and of the rest it knows the rules only.
    """

    def __init__(self, library: PromptLibrary, rules: ProjectRules, *, appended: str = "") -> None:
        self._library = library
        self.rules = rules
        """What is assembled now has these."""
        self.memory = ""
        self.skills = ""
        """The index."""
        self._appended = appended

    def use(self, rules: ProjectRules, *, memory: str, skills: str) -> None:
        """For what is assembled from now on."""
        self.rules, self.memory, self.skills = rules, memory, skills

    def assemble(self, mode: PromptMode, **fields: str) -> str:
        """`fields` fill the mode's template; nothing that changes between requests may be among them."""
        parts = [] if mode is PromptMode.PLANNER else [self._library.text("base.md")]
        template = self._library.text(f"modes/{mode.value}.md")
        for name, value in fields.items():
            template = template.replace("{" + name + "}", value)
        parts.append(template)
        if self.rules.text:
            parts.append(model_text("context.project_rules", text=self.rules.text))
        if mode is not PromptMode.PLANNER:
            if self.memory:
                parts.append(model_text("memory.prompt", text=self.memory))
            if self.skills:
                parts.append(self.skills)
        if self._appended:
            parts.append(self._appended)
        return "\n\n".join(parts)
