import re
import string

import pytest

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
