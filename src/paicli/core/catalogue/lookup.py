"""Finds a text by its code and fills its fields."""

from enum import StrEnum
from typing import Any

from paicli.core.catalogue.model import command_review as model_command_review
from paicli.core.catalogue.model import commands as model_commands
from paicli.core.catalogue.model import compaction as model_compaction
from paicli.core.catalogue.model import knowledge as model_knowledge
from paicli.core.catalogue.model import loop as model_loop
from paicli.core.catalogue.model import plan as model_plan
from paicli.core.catalogue.model import policy as model_policy
from paicli.core.catalogue.model import sandbox as model_sandbox
from paicli.core.catalogue.model import snapshots as model_snapshots
from paicli.core.catalogue.model import stored as model_stored
from paicli.core.catalogue.model import tools as model_tools
from paicli.core.catalogue.model import turn_policy as model_turn_policy
from paicli.core.catalogue.model import unfinished_plans as model_unfinished_plans
from paicli.core.catalogue.model import web as model_web
from paicli.core.catalogue.screen import cli as screen_cli
from paicli.core.catalogue.screen import commands as screen_commands
from paicli.core.catalogue.screen import errors as screen_errors
from paicli.core.catalogue.screen import evidence as screen_evidence
from paicli.core.catalogue.screen import input as screen_input
from paicli.core.catalogue.screen import knowledge as screen_knowledge
from paicli.core.catalogue.screen import llm as screen_llm
from paicli.core.catalogue.screen import panels as screen_panels
from paicli.core.catalogue.screen import session as screen_session
from paicli.core.catalogue.screen import setup as screen_setup
from paicli.core.catalogue.screen import snapshots as screen_snapshots
from paicli.core.catalogue.screen import spending as screen_spending
from paicli.core.catalogue.screen import stored as screen_stored
from paicli.core.catalogue.screen import turn as screen_turn
from paicli.core.catalogue.screen import web as screen_web
from paicli.core.catalogue.screen.plans import plan as screen_plan
from paicli.core.catalogue.screen.plans import unfinished as screen_unfinished_plans
from paicli.core.catalogue.screen.safety import command_review as screen_command_review
from paicli.core.catalogue.screen.safety import folder_trust as screen_folder_trust
from paicli.core.catalogue.screen.safety import policy as screen_policy
from paicli.core.catalogue.screen.safety import sandbox as screen_sandbox
from paicli.core.catalogue.screen.safety import turn_policy as screen_turn_policy
from paicli.core.catalogue.screen.tools import reasons as screen_reasons


class Language(StrEnum):
    ZH = "zh"
    EN = "en"


SCREEN: dict[str, tuple[str, str]] = {
    **screen_cli.TEXTS,
    **screen_commands.TEXTS,
    **screen_input.TEXTS,
    **screen_panels.TEXTS,
    **screen_setup.TEXTS,
    **screen_errors.TEXTS,
    **screen_llm.TEXTS,
    **screen_turn.TEXTS,
    **screen_plan.TEXTS,
    **screen_policy.TEXTS,
    **screen_command_review.TEXTS,
    **screen_unfinished_plans.TEXTS,
    **screen_turn_policy.TEXTS,
    **screen_session.TEXTS,
    **screen_sandbox.TEXTS,
    **screen_stored.TEXTS,
    **screen_snapshots.TEXTS,
    **screen_folder_trust.TEXTS,
    **screen_spending.TEXTS,
    **screen_evidence.TEXTS,
    **screen_web.TEXTS,
    **screen_reasons.TEXTS,
    **screen_knowledge.TEXTS,
}
"""code → (zh, en)"""

MODEL: dict[str, str] = {
    **model_commands.TEXTS,
    **model_compaction.TEXTS,
    **model_sandbox.TEXTS,
    **model_loop.TEXTS,
    **model_plan.TEXTS,
    **model_unfinished_plans.TEXTS,
    **model_policy.TEXTS,
    **model_command_review.TEXTS,
    **model_stored.TEXTS,
    **model_snapshots.TEXTS,
    **model_tools.TEXTS,
    **model_web.TEXTS,
    **model_turn_policy.TEXTS,
    **model_knowledge.TEXTS,
}
"""code → text"""


def model_text(code: str, /, **fields: Any) -> str:
    """The text a model reads. Raises KeyError for a code or field that is not there."""
    return _filled(MODEL[code], fields)


def command_output(report: str) -> str:
    """What the command itself printed, out of the report that a model reads; "" where it printed nothing."""
    for heading in (MODEL["command.output"], MODEL["command.new_output"]):
        _, found, printed = f"\n{report}".partition(f"\n{heading}\n")
        if found:
            return printed
    return "" if MODEL["command.no_output"] in report.splitlines() else report


class Texts:
    """The screen's texts in one language."""

    def __init__(self, language: Language) -> None:
        self.language = language

    def switch(self, language: Language) -> None:
        """From the next text on."""
        self.language = language

    def screen(self, code: str, /, **fields: Any) -> str:
        """The text a person reads. Raises KeyError for a code or field that is not there."""
        return _filled(SCREEN[code][0 if self.language is Language.ZH else 1], fields)

    def has(self, code: str) -> bool:
        return code in SCREEN


def _filled(template: str, fields: dict[str, Any]) -> str:
    # Templates use {name}; a value is inserted once and never read as a template (foreign text is data).
    if "|" in template:
        fields = {name: _Counted(value) if type(value) is int else value for name, value in fields.items()}
    return template.format_map(fields) if fields or "{" in template else template


class _Counted(int):
    """A number that chooses a word: `{count:line|lines}` is "line" for 1, else "lines"."""

    def __format__(self, written: str) -> str:
        one, is_choice, many = written.partition("|")
        return (one if self == 1 else many) if is_choice else super().__format__(written)
