import ast
import re
import string
from pathlib import Path

import pytest

from paicli.core import errors
from paicli.core.catalogue.lookup import MODEL, SCREEN, Language, Texts, model_text


def fields_of(template: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(template) if name}


@pytest.mark.parametrize("code", sorted(SCREEN))
def test_both_languages_say_it_and_use_the_same_fields(code: str) -> None:
    zh, en = SCREEN[code]
    assert zh.strip()
    assert en.strip()
    assert fields_of(zh) == fields_of(en)
    assert not re.search("[\u4e00-\u9fff]", en), "the English text holds Chinese"


@pytest.mark.parametrize("code", sorted(MODEL))
def test_a_models_text_is_a_sound_template(code: str) -> None:
    assert MODEL[code].strip()
    fields_of(MODEL[code])


def test_a_value_is_never_read_as_a_template() -> None:
    assert "{known}" in model_text("tool.unknown", name="{known}", known="a")
    assert Texts(Language.EN).language is Language.EN


def test_a_number_chooses_its_word() -> None:
    english = Texts(Language.EN)
    shown = [english.screen("tool.read_encoded", count=count, encoding="a|b") for count in (0, 1, 2)]
    assert shown == ["0 lines (a|b)", "1 line (a|b)", "2 lines (a|b)"]


SRC = Path(__file__).parents[2] / "src" / "paicli"
ERRORS = {
    name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, errors.PaiError)
} - {"TurnCancelled"}
MODEL_FACING = {name for name in ERRORS if issubclass(getattr(errors, name), errors.ModelFacingError)}


def used_codes() -> list[tuple[str, str, str, frozenset[str] | None]]:
    """(where, table, code, names of the fields or None where they are not literal) of every code spelled in src."""
    found: list[tuple[str, str, str, frozenset[str] | None]] = []
    for path in sorted(SRC.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            code = node.args[0]
            if not isinstance(code, ast.Constant) or not isinstance(code.value, str):
                continue
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            is_fault = ast.unparse(node.func) == "Fault.of"
            where = f"{path.relative_to(SRC)}:{node.lineno}"
            names = [keyword.arg for keyword in node.keywords]
            fields = None if None in names else frozenset(name for name in names if name is not None)
            if name == "screen" or is_fault:
                found.append((where, "screen", code.value, fields))
            elif name == "model_text" or name in MODEL_FACING:
                found.append((where, "model", code.value, None if name in MODEL_FACING else fields))
            elif name in ERRORS or name == "Fault":
                found.append((where, "screen", code.value, None))
    return found


def test_every_code_that_is_used_has_a_text_and_its_fields_are_given() -> None:
    used = used_codes()
    assert len(used) > 200
    wrong = []
    for where, table, code, fields in used:
        texts = {name: pair[0] for name, pair in SCREEN.items()} if table == "screen" else MODEL
        if code not in texts:
            wrong.append(f"{where}: {table} has no {code}")
        elif fields is not None and not fields_of(texts[code]) <= fields:
            wrong.append(f"{where}: {code} wants {fields_of(texts[code]) - fields}")
    assert wrong == []
