import base64
import json
import re
from urllib.parse import quote

import pytest

from paicli.core.masking import MASK, SecretMasker

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
        *(start + "a1" * 16 for start in ("tvly-dev-", "nvapi-", "gsk_", "xai-", "pplx-", "whsec_")),
        *(start + "a1" * 16 for start in ("lin_api_", "ntn_", "shpat_", "dapi", "hvs.", "AKID")),
        *(start + "a1" * 16 for start in ("glrt-", "gldt-", "glptt-", "ATATT3")),
        "LTAI" + "a1" * 10,
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
    text = "task-abcdefghijklmnopqrs sk-short ask-me-anything-else-today gsk_helper_function_name_is_long"
    text += " dapi_client sendapi0123 hvs.py LTAI AKIDs xai-sdk pplx-api ntn_ r8_quantized glrt-x"
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


JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.SflKxwRJSMeKKF2QT4fwpMeJf36"
PEM = "-----BEGIN EC PRIVATE KEY-----\nMHcCAQEEIIr+/8h=\n-----END EC PRIVATE KEY-----"


@pytest.mark.parametrize(
    "key", [JWT, PEM, "xoxe-1234567890-abc", "ASIA" + "B2" * 8, "npm_" + "a1" * 18, "sk_live_" + "a1" * 8]
)
def test_tokens_and_private_keys_are_masked_in_text_and_in_json_within_json(key: str) -> None:
    masker = SecretMasker()
    assert masker.mask(f"a {key} b") == "a *** b"
    twice = json.dumps({"arguments": json.dumps({"a": f"x {key} y"})})
    assert json.loads(json.loads(masker.mask(twice))["arguments"]) == {"a": "x *** y"}


@pytest.mark.parametrize(
    "text",
    [
        "2fd4e1c67a2d28fced849ee1bb76e7391b93eb12",
        "123e4567-e89b-12d3-a456-426614174000",
        "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
        "A file with the header -----BEGIN PRIVATE KEY----- is a key.",
        "risk-management-and-planning disk-usage ghp_ AKIAH eyJ hf_model",
        "Bearer of bad news; the bearer is",
        "max_tokens=100000 token: string password = getpass() secret_key = os.environ['SECRET_KEY']",
        "password: str  # the person's, token=None, api_key: Optional[str]",
        "https://example.com/a?b=c user@example.com git@github.com:a/b.git",
        "def mask(text): return text.replace('a', 'b')",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    masker = SecretMasker(["configured-value-1"])
    assert masker.mask(text) == text
    assert masker.mask_all(text) == text


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("password=hunter2hunter2", "password=***"),
        ("PGPASSWORD='s3cr3tpass' psql", "PGPASSWORD='***' psql"),
        ('{"token": "abcd1234efgh"}', '{"token": "***"}'),
        ('{\\"api_key\\": \\"abcd1234efgh\\"}', '{\\"api_key\\": \\"***\\"}'),
        ("mysql --password hunter2hunter2 -u x", "mysql --password *** -u x"),
        ("https://user:pa55@host/x", "https://user:***@host/x"),
        ("Authorization: Basic dXNlcjpwYXNzd29yZA==", "Authorization: Basic ***"),
    ],
)
def test_a_record_of_what_was_done_names_no_password(text: str, masked: str) -> None:
    assert SecretMasker().mask_all(text) == masked


@pytest.mark.parametrize("secret", ["canary/Value+1 ä?&", "sk_plain_1234"])
def test_a_known_secret_is_masked_in_a_url_in_hexadecimal_and_in_base64_wherever_it_stands(secret: str) -> None:
    masker = SecretMasker([secret])
    assert masker.mask(f"?key={quote(secret, safe='')}&b") == "?key=***&b"
    assert masker.mask(f"/a/{quote(secret)}?b") == "/a/***?b"
    lower = re.sub("%..", lambda escape: escape[0].lower(), quote(secret, safe=""))
    assert masker.mask(f"?key={lower}&b") == "?key=***&b"
    dumped = secret.encode().hex()
    assert (masker.mask(f"00{dumped}ff"), masker.mask(dumped.upper())) == ("00***ff", "***")
    for before in ("", "u", "us", "user:"):
        for after in ("", "!", "!!"):
            encoded = base64.b64encode(f"{before}{secret}{after}".encode()).decode()
            assert MASK in masker.mask(f"Basic-{encoded}.")
            shown = masker.mask(encoded).replace(MASK, "")
            assert len(shown) <= len(encoded) - len(secret)
