"""Writes `tools/schemas.json` anew from the argument models (`make schemas`); a test compares the two."""

import json
from pathlib import Path

from paicli.app.wiring.toolbox import all_tools
from paicli.core.masking import SecretMasker
from paicli.session.results import ResultFiles
from paicli.system.commands import CommandRunner
from paicli.tools.schemas import STORED, build_schemas


def schemas_text() -> str:
    """The file as it should stand."""
    tools = all_tools(CommandRunner({}), masker=SecretMasker(), results=ResultFiles(Path()))[0]
    lines = [
        f"{json.dumps(name)}: {json.dumps(schema, ensure_ascii=False, separators=(',', ':'))}"
        for name, schema in build_schemas(tools).items()
    ]
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    STORED.write_text(schemas_text(), encoding="utf-8")
