import json

import pytest

from paicli.core.masking import SecretMasker

KEY = "sk-abcdefghijklmnop"


@pytest.mark.parametrize(
    "key",
    [
        KEY,
        "ghp_" + "a1" * 12,
        "github_pat_" + "a1" * 12,
        "xoxb-1234567890-abc",
        "AKIA" + "A1" * 8,
        "AIza" + "a1" * 17,
        "glpat-" + "a1" * 10,
        "hf_" + "a1" * 12,
    ],
)
def test_what_has_the_shape_of_a_key_is_masked_wherever_it_stands(key: str) -> None:
    masker = SecretMasker()
    assert masker.mask(f"a {key} b") == "a *** b"
    for text in (f"KEY=\n{key}", f"\t{key}", json.dumps(f"x\n{key}")):
        written = json.dumps(text)
        assert key not in masker.mask(written)
        assert "***" in json.loads(masker.mask(written))


def test_words_that_only_resemble_a_key_stay() -> None:
    text = "task-abcdefghijklmnopqrs sk-short ask-me-anything-else-today"
    assert SecretMasker().mask(text) == text


def test_a_bearer_token_is_masked_and_the_word_before_it_stays() -> None:
    assert SecretMasker().mask("Authorization: Bearer abcdefgh.ijk=") == "Authorization: Bearer ***"


@pytest.mark.parametrize("secret", ['pa"ss\\word', "pässwörd", "two\nlines", "plain-secret"])
def test_a_known_secret_is_masked_as_text_in_json_and_in_json_within_json(secret: str) -> None:
    masker = SecretMasker([secret])
    for is_ascii in (False, True):
        once = json.dumps({"a": f"x {secret} y"}, ensure_ascii=is_ascii)
        twice = json.dumps({"arguments": once}, ensure_ascii=is_ascii)
        assert json.loads(masker.mask(once)) == {"a": "x *** y"}
        assert json.loads(json.loads(masker.mask(twice))["arguments"]) == {"a": "x *** y"}
    assert masker.mask(f"x {secret} y") == "x *** y"


def test_a_secret_learnt_later_is_masked_too_and_the_longer_one_first() -> None:
    masker = SecretMasker(["secret"])
    masker.learn(["secret-longer"])
    assert masker.mask("secret-longer secret") == "*** ***"


def test_a_value_too_short_to_be_a_secret_masks_no_words() -> None:
    assert SecretMasker(["true", ""]).mask("true enough") == "true enough"
