"""Finds a text by its code and fills its fields."""

from enum import StrEnum
from typing import Any

from paicli.core.catalogue import (
    model_commands,
    model_loop,
    model_plan,
    model_policy,
    model_tools,
    screen_cli,
    screen_commands,
    screen_errors,
    screen_input,
    screen_llm,
    screen_loop,
    screen_panels,
    screen_plan,
    screen_policy,
    screen_session,
    screen_setup,
)


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
    **screen_loop.TEXTS,
    **screen_plan.TEXTS,
    **screen_policy.TEXTS,
    **screen_session.TEXTS,
}
"""code → (zh, en)"""

MODEL: dict[str, str] = {
    **model_commands.TEXTS,
    **model_loop.TEXTS,
    **model_plan.TEXTS,
    **model_policy.TEXTS,
    **model_tools.TEXTS,
}
"""code → text"""


def model_text(code: str, /, **fields: Any) -> str:
    """The text a model reads. Raises KeyError for a code or field that is not there."""
    return _filled(MODEL[code], fields)


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
    return template.format_map(fields) if fields or "{" in template else template
