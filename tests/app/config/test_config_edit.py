# C75: what is written changes the keys that were named and nothing else, whole or not at all.
import os
import stat
import tomllib
from pathlib import Path
from typing import Any

import pytest

from paicli.app.config.config_edit import change_config, with_changes
from paicli.app.config.config_file import ConfigFile, read_config
from paicli.core.errors import SettingsError

CHANGES: dict[str, Any] = {
    "model.provider": "glm",
    "model.model": "glm-9",
    "model.base_url": None,
    "providers.glm.api_key": "sk-new-key",
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".paicli" / "config.toml"


def written(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# only a comment\n",
        "model.temperature = 1\n# about nothing\n",
        "[ui]\nascii = true # yes\n",
        "[model]\nprovider = \"x\" # old\nbase_url = 'http://h/v1'\n\n[plan]\nparallel=2\n",
        "[providers.glm]\nmodel='a'\n[ui]\nascii=true\n[providers.kimi]\napi_key='k'\n",
        "model = {provider='x'}\n",
        "[providers]\nglm = {api_key='old'}\n",
        "providers.glm.model='x'\n[ui]\nascii=true",
        "[model.headers]\nA='b'\n",
        "[model.headers]\nA='b'\n[ui]\n[model]\nmodel='q'",
    ],
)
def test_every_shape_of_file_keeps_its_comments_and_its_other_keys(path: Path, text: str) -> None:
    written(path, text)
    before = read_config(path)

    change_config(path, CHANGES)

    after = path.read_text()
    assert read_config(path).values == with_changes(before, CHANGES).values
    assert [word for word in ("# only a comment", "# about nothing", "# yes", "# old") if word in text] == [
        word for word in ("# only a comment", "# about nothing", "# yes", "# old") if word in after
    ]


def test_a_new_file_and_its_folder_are_private_from_the_first_moment(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    modes: list[int] = []
    open_file = os.open

    def watched(name: Any, flags: int, mode: int = 0o777, **options: Any) -> int:
        descriptor = open_file(name, flags, mode, **options)
        unnamed = getattr(os, "O_TMPFILE", 0)
        if flags & os.O_CREAT or (unnamed and flags & unnamed == unnamed):
            modes.append(stat.S_IMODE(os.fstat(descriptor).st_mode))
        return descriptor

    monkeypatch.setattr(os, "open", watched)
    change_config(path, CHANGES)

    assert modes == [0o600, 0o600]  # the lock and the file
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert sorted(entry.name for entry in path.parent.iterdir()) == [".config.toml.lock", "config.toml"]


def test_a_file_and_a_folder_that_were_open_to_others_are_closed(path: Path) -> None:
    written(path, "# mine\n").chmod(0o644)
    path.parent.chmod(0o755)

    change_config(path, CHANGES)

    assert (stat.S_IMODE(path.stat().st_mode), stat.S_IMODE(path.parent.stat().st_mode)) == (0o600, 0o700)


def test_a_folder_that_the_person_named_keeps_its_rights(tmp_path: Path) -> None:
    folder = tmp_path / "shared"
    folder.mkdir(mode=0o755)

    change_config(folder / "config.toml", CHANGES)

    assert stat.S_IMODE(folder.stat().st_mode) == 0o755


def test_crlf_and_a_byte_order_mark_stay(path: Path) -> None:
    written(path, "\ufeff[ui]\r\nascii = true\r\n")

    change_config(path, {"plan.parallel": 2})

    raw = path.read_bytes()
    assert raw.startswith(b"\xef\xbb\xbf[ui]\r\nascii = true\r\n")
    assert raw.count(b"\n") == raw.count(b"\r\n")
    assert read_config(path).values == {"ui.ascii": True, "plan.parallel": 2}


def test_a_link_to_the_file_stays_a_link(path: Path, tmp_path: Path) -> None:
    dotfiles = tmp_path / "dotfiles"
    dotfiles.mkdir(mode=0o755)
    (dotfiles / "paicli.toml").write_text("# kept in git\n")
    path.parent.mkdir()
    path.symlink_to(dotfiles / "paicli.toml")

    change_config(path, {"ui.ascii": True})

    assert path.is_symlink()
    assert (dotfiles / "paicli.toml").read_text().startswith("# kept in git\n")
    assert stat.S_IMODE(dotfiles.stat().st_mode) == 0o755


@pytest.mark.parametrize(
    ("text", "changes", "code"),
    [
        ("[m.q]\na = 1\n[m.q]\n", {"ui.ascii": True}, "settings.config_syntax"),
        ('[ui]\nascii = "yes"\n', {"plan.parallel": 2}, "settings.config_wants_a_switch"),
        ("# fine\n", {"plan.parallel": 9}, "settings.value_wants_parallel"),
    ],
)
def test_nothing_is_written_into_a_broken_file_or_for_a_wrong_value(
    path: Path, text: str, changes: dict[str, Any], code: str
) -> None:
    written(path, text)

    with pytest.raises(SettingsError) as raised:
        change_config(path, changes)

    assert raised.value.code == code
    assert path.read_text() == text


def test_a_folder_that_cannot_be_made_is_an_error_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "home").write_text("a file")

    with pytest.raises(SettingsError) as raised:
        change_config(tmp_path / "home" / "config.toml", {"ui.ascii": True})

    assert raised.value.code in {"settings.config_unwritable", "settings.config_unreadable"}


@pytest.mark.parametrize("value", ['a "b" \\ c', "中文 🙂", "tab\there", "[x]\nprovider = 'y'"])
def test_a_value_is_data_whatever_it_holds(path: Path, value: str) -> None:
    change_config(path, {"model.model": value})

    assert tomllib.loads(path.read_text()) == {"model": {"model": value}}


def test_what_would_be_read_is_known_without_writing(path: Path) -> None:
    config = ConfigFile(path, {"model.base_url": "http://h", "ui.ascii": True})

    assert with_changes(config, CHANGES).values == {
        "ui.ascii": True,
        "model.provider": "glm",
        "model.model": "glm-9",
        "providers.glm.api_key": "sk-new-key",
    }
    assert not path.exists()
