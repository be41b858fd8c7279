"""Writes `tools/schemas.json` anew from the argument models (`make schemas`); a test compares the two."""

import json
from pathlib import Path

from paicli.app.wiring.toolbox import all_tools
from paicli.core.masking import SecretMasker
from paicli.core.messages import FileWritten
from paicli.session.results import ResultFiles
from paicli.system.commands import CommandRunner
from paicli.tools.builtin.ask_user import PersonAnswer
from paicli.tools.schemas import STORED, build_schemas
from paicli.tools.snapshots.restore import RestoredFiles
from paicli.tools.tool import ToolContext


def schemas_text() -> str:
    """The file as it should stand."""
    tools = all_tools(
        CommandRunner({}), masker=SecretMasker(), results=ResultFiles(Path()), ask=_ask_nobody, restore=_NoSnapshots()
    )[0]
    lines = [
        f"{json.dumps(name)}: {json.dumps(schema, ensure_ascii=False, separators=(',', ':'))}"
        for name, schema in build_schemas(tools).items()
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _ask_nobody(question: str, options: tuple[str, ...], context: ToolContext) -> PersonAnswer:
    return PersonAnswer("", is_from_person=False)


class _NoSnapshots:
    """A schema needs no files."""

    def preview(self, turn: str, context: ToolContext) -> FileWritten:
        raise NotImplementedError

    def restore(self, turn: str, context: ToolContext) -> RestoredFiles:
        raise NotImplementedError


if __name__ == "__main__":
    STORED.write_text(schemas_text(), encoding="utf-8")
