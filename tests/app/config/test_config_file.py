# C75: a broken configuration is one clear message with its place, and the file stays as it is.
import hashlib
from pathlib import Path

import pytest

from paicli.app.config.config_file import KEYS, ConfigFile, read_config
from paicli.core.catalogue.lookup import SCREEN, Language, Texts
from paicli.core.errors import SettingsError
from paicli.core.faults import Fault
from paicli.ui.rendering.fault_texts import code_text


def written(folder: Path, raw: bytes | str) -> Path:
    path = folder / "config.toml"
    path.write_bytes(raw.encode() if isinstance(raw, str) else raw)
    return path


def error_of(path: Path) -> SettingsError:
    with pytest.raises(SettingsError) as raised:
        read_config(path)
    return raised.value


def test_a_whole_file_is_read(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        """
        [model]
        provider = "p"
        extra_body = { top_k = 3, nested = { a = 1 } }
        read_timeout_s = 2.5
        headers = { X-Team = "tea" }

        [providers.p]
        api_key = "k"

        [plan]
        parallel = 2
        max_replans = 0

        [permissions]
        allow = ["read_file"]
        """,
    )

    assert read_config(path) == ConfigFile(
        path,
        {
            "model.provider": "p",
            "model.extra_body": {"top_k": 3, "nested": {"a": 1}},
            "model.read_timeout_s": 2.5,
            "model.headers": {"X-Team": "tea"},
            "providers.p.api_key": "k",
            "plan.parallel": 2,
            "plan.max_replans": 0,
            "permissions.allow": ["read_file"],
        },
    )


@pytest.mark.parametrize("raw", [b"", b" \n\t", b"\xef\xbb\xbf", b"# nothing\n"])
def test_an_empty_file_gives_no_values(tmp_path: Path, raw: bytes) -> None:
    path = written(tmp_path, raw)

    assert read_config(path) == ConfigFile(path, {})


def test_a_missing_file_gives_no_values(tmp_path: Path) -> None:
    assert read_config(tmp_path / "config.toml") == ConfigFile(tmp_path / "config.toml", {})


def test_a_byte_order_mark_and_crlf_are_accepted(tmp_path: Path) -> None:
    path = written(tmp_path, b'\xef\xbb\xbf[ui]\r\nlanguage = "en"\r\n')

    assert read_config(path).values == {"ui.language": "en"}


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("[m.q]\na = 1\n[m.q]\n", (3, 5, "[m.q]")),
        ('[model]\n  api_key="F:\\dir\\secret"\n', (2, 16, "api_key")),
        ("[model]\nprovider = x\n", (2, 12, "provider")),
        ('[model]\nprovider = "never ends', (2, 23, "provider")),
        ("[model]\nmodel = [1,\n2", (3, 2, "")),
        ("[model\n", (1, 7, "[model")),
        ('a = "\x00"\n', (1, 6, "a")),
    ],
)
def test_what_is_no_toml_is_named_with_its_place_and_never_its_value(
    tmp_path: Path, text: str, where: tuple[int, int, str]
) -> None:
    path = written(tmp_path, text)
    before = hashlib.sha256(path.read_bytes()).digest()

    error = error_of(path)

    fields = {name: str(value) for name, value in error.fields.items()}
    assert (int(fields["line"]), int(fields["column"]), fields.get("key", "")) == where
    shown = code_text(error.code, fields, Texts(Language.EN))
    assert shown.startswith(f"{path}:{where[0]}:{where[1]}: ")
    assert "secret" not in shown
    assert "\n" not in shown
    assert hashlib.sha256(path.read_bytes()).digest() == before


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ('[model]\nread_timeout_s = "ten"\n', "seconds", (2, 1, "model.read_timeout_s")),
        ("[model]\nread_timeout_s = true\n", "seconds", (2, 1, "model.read_timeout_s")),
        ("[model]\nread_timeout_s = nan\n", "seconds", (2, 1, "model.read_timeout_s")),
        ("[model]\n\n  api_key = 5\n", "a_string", (3, 3, "model.api_key")),
        ("model.temperature = 3\n", "temperature", (1, 1, "model.temperature")),
        ("[plan]\nparallel = 5\n", "parallel", (2, 1, "plan.parallel")),
        ("[plan]\nmax_replans = -1\n", "replans", (2, 1, "plan.max_replans")),
        ("[ui]\nascii = 1\n", "a_switch", (2, 1, "ui.ascii")),
        ('[ui]\nlanguage = "fr"\n', "language", (2, 1, "ui.language")),
        ("[limits]\nmax_turns = 0\n", "a_count", (2, 1, "limits.max_turns")),
        ('[permissions]\nallow = "*"\n', "strings", (2, 1, "permissions.allow")),
        ("[permissions]\nallow = [1]\n", "strings", (2, 1, "permissions.allow")),
        ("[model]\n[model.headers]\nA = 1\n", "headers", (2, 1, "model.headers")),
        ('[model.headers]\nA = "b\\r\\nEvil: 1"\n', "headers", (1, 1, "model.headers")),
        ('[model.headers]\n"X-中" = "b"\n', "headers", (1, 1, "model.headers")),
        ('[model.headers]\n"a b" = "c"\n', "headers", (1, 1, "model.headers")),
        ("[model.extra_body]\nday = 2026-01-01\n", "json_table", (1, 1, "model.extra_body")),
        ("model.extra_body = {a = [{b = nan}]}\n", "json_table", (1, 1, "model.extra_body")),
        ('[session]\nmode = "fast"\n', "mode", (2, 1, "session.mode")),
        ('model = "glm"\n', "a_table", (1, 1, "model")),
        ("[[model]]\n", "a_table", (1, 1, "model")),
        ('[providers]\nglm = "k"\n', "a_table", (2, 1, "providers.glm")),
        ('["providers"."glm"]\n"api_key" = 1\n', "a_string", (2, 1, "providers.glm.api_key")),
    ],
)
def test_a_value_of_the_wrong_kind_is_an_error_at_its_key(
    tmp_path: Path, text: str, code: str, place: tuple[int, int, str]
) -> None:
    path = written(tmp_path, text)

    error = error_of(path)

    assert error.code == f"settings.config_wants_{code}"
    line, column, key = place
    assert error.fields == {"path": str(path), "line": str(line), "column": str(column), "key": key}


def test_an_unknown_key_is_a_warning_at_its_place(tmp_path: Path) -> None:
    path = written(tmp_path, '[model]\nprovidr = "x"\n[future]\na = 1\n')

    config = read_config(path)

    assert config.values == {}
    assert config.warnings == tuple(
        Fault(
            "settings.config_key_unknown",
            (("path", str(path)), ("line", line), ("column", "1"), ("key", key)),
        )
        for line, key in (("2", "model.providr"), ("3", "future"))
    )


def test_a_folder_in_place_of_the_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "config.toml").mkdir()

    assert error_of(tmp_path / "config.toml").code == "settings.config_no_file"


def test_a_home_that_is_a_file_is_an_error_with_the_systems_reason(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("")

    error = error_of(tmp_path / "home" / "config.toml")

    assert (error.code, error.fields["what"]) == ("settings.config_unreadable", "Not a directory")


def test_a_file_of_100_mb_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    with path.open("wb") as file:
        file.truncate(100_000_000)

    error = error_of(path)

    assert (error.code, error.fields) == (
        "settings.config_too_large",
        {"path": str(path), "size_bytes": 100_000_000},
    )


def test_latin_1_bytes_are_named_with_their_place(tmp_path: Path) -> None:
    error = error_of(written(tmp_path, b"[ui]\n# caf\xe9\nascii = true\n"))

    assert error.code == "settings.config_not_utf8"
    assert (error.fields["line"], error.fields["column"]) == (2, 6)


def test_deep_nesting_is_an_error_and_no_crash(tmp_path: Path) -> None:
    error = error_of(written(tmp_path, "a = " + "[" * 20_000))

    assert error.code in {"settings.config_too_deep", "settings.config_syntax", "settings.config_syntax_bare"}


def test_each_kind_of_value_has_its_message() -> None:
    assert {kind.wanted for kind in KEYS.values()} <= set(SCREEN)
