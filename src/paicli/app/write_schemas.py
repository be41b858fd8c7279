"""Writes `tools/schemas.json` anew from the argument models (`make schemas`); a test compares the two."""

import json
from pathlib import Path

from paicli.app.wiring.toolbox import all_tools
from paicli.core.masking import SecretMasker
from paicli.core.messages import FileWritten
from paicli.session.results import ResultFiles
from paicli.system.commands import CommandRunner
from paicli.tools.builtin.ask_user import PersonAnswer
from paicli.tools.knowledge.load_skill import LoadSkill
from paicli.tools.knowledge.save_memory import SaveMemory
from paicli.tools.schemas import STORED, build_schemas
from paicli.tools.snapshots.restore import RestoredFiles
from paicli.tools.tool import SkillText, ToolContext


def schemas_text() -> str:
    """The file as it should stand."""
    tools = all_tools(
        CommandRunner({}),
        masker=SecretMasker(),
        results=ResultFiles(Path()),
        ask=_ask_nobody,
        restore=_NoSnapshots(),
        knowledge=(LoadSkill(_find_nothing), SaveMemory(_remember_nothing)),
    )[0]
    lines = [
        f"{json.dumps(name)}: {json.dumps(schema, ensure_ascii=False, separators=(',', ':'))}"
        for name, schema in build_schemas(tools).items()
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _ask_nobody(question: str, options: tuple[str, ...], context: ToolContext) -> PersonAnswer:
    return PersonAnswer("", is_from_person=False)


def _find_nothing(name: str) -> SkillText:
    return SkillText(name, "", "")


def _remember_nothing(text: str, context: ToolContext) -> tuple[str, bool]:
    return text, False


class _NoSnapshots:
    """A schema needs no files."""

    def preview(self, turn: str, context: ToolContext) -> FileWritten:
        raise NotImplementedError

    def restore(self, turn: str, context: ToolContext) -> RestoredFiles:
        raise NotImplementedError


if __name__ == "__main__":
    STORED.write_text(schemas_text(), encoding="utf-8")
