import ast
from pathlib import Path

import pytest

from paicli.core.catalogue.lookup import MODEL, SCREEN
from tests.core.test_catalogue import MODEL_FACING, fields_of

SRC = Path(__file__).parents[2] / "src" / "paicli"
SAID_BY_THE_CAUSE = {"memory.tool_failed", "snapshots.tool_refused"}
"""Raised from an error of the person's own, which says why."""
BUILT = (
    "policy.turn_",
    "policy.command_",
    "policy.path_",
    "files.is_",
    "files.read_only",
    "sandbox.",
    "edit.not_found",
)
"""How codes begin that are put together where they are raised."""
ASKED_ABOUT = {
    f"policy.command_{what}"
    for what in ("outside", "repository", "startup_setting", "unknown_target", "unknown_part", "unknown_url")
} | {"policy.command_unparsed", "policy.command_too_long"}
"""A doubt: it leads to a question, and never to a refusal."""


def raised_codes() -> set[str]:
    calls = (node for path in SRC.rglob("*.py") for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    found = {
        constant.value
        for node in calls
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in MODEL_FACING and node.args
        for constant in ast.walk(node.args[0])
        if isinstance(constant, ast.Constant) and isinstance(constant.value, str) and constant.value in MODEL
    }
    return found | {code for code in MODEL if code.startswith(BUILT)} - ASKED_ABOUT


@pytest.mark.parametrize("code", sorted(raised_codes() - SAID_BY_THE_CAUSE))
def test_a_person_is_told_in_their_language_why_a_call_came_to_nothing(code: str) -> None:
    zh, en = SCREEN[f"tool.why.{code}"]
    assert len(en) < 120, "it stands behind the call, in its line"
    assert fields_of(zh) == fields_of(en)
    assert fields_of(en) <= fields_of(MODEL[code])


def test_no_reason_stands_there_for_nothing() -> None:
    reasons = {code.removeprefix("tool.why.") for code in SCREEN if code.startswith("tool.why.")}
    assert reasons <= raised_codes()
