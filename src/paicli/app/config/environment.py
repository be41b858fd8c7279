"""What the environment says apart from the model: paicli's home folder, the language, colours."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from paicli.app.config.config_file import ConfigFile, read_config
from paicli.core.catalogue.lookup import Language
from paicli.core.errors import SettingsError


def home_folder(environ: Mapping[str, str]) -> Path:
    """PAICLI_HOME, else ~/.paicli; absolute, not necessarily there."""
    named = environ.get("PAICLI_HOME", "").strip()
    user_home = environ.get("HOME") or os.path.expanduser("~")
    folder = Path(user_home, named[2:]) if named.startswith("~/") else Path(named or Path(user_home, ".paicli"))
    return Path(os.path.abspath(folder)) if not folder.is_absolute() else folder


def choose_language(wish: str, environ: Mapping[str, str], config: ConfigFile | None = None) -> Language:
    """Option > PAICLI_LANG > configuration > locale; zh for the locales unset, C, POSIX, C.UTF-8 and zh_*."""
    named = environ.get("PAICLI_LANG", "").strip().lower()
    if named and not named.startswith(("zh", "en")):
        raise SettingsError("settings.variable_wants", variable="PAICLI_LANG", wanted="zh | en", value=named)
    explicit = wish or named[:2] or (config.get("ui.language") if config else None)
    if explicit:
        return Language(explicit)
    locale = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "")
    base = locale.partition(".")[0].partition("@")[0].lower()
    return Language.ZH if base in {"", "c", "posix"} or base.startswith("zh") else Language.EN


def error_language(wish: str, environ: Mapping[str, str]) -> Language:
    """The language for an error that comes before the settings stand: as `choose_language`, but it never raises."""
    config: ConfigFile | None = None
    with suppress(SettingsError):  # what is wrong there is told soon enough
        config = read_config(home_folder(environ) / "config.toml")
    try:
        return choose_language(wish, environ, config)
    except SettingsError:
        named = {name: value for name, value in environ.items() if name != "PAICLI_LANG"}
        return choose_language(wish, named, config)


def wants_color(environ: Mapping[str, str], config: ConfigFile | None = None) -> bool:
    """False where NO_COLOR or TERM=dumb is set, or the configuration says so; FORCE_COLOR wins over the last two."""
    if environ.get("NO_COLOR"):
        return False
    if forces_color(environ):
        return True
    return environ.get("TERM") != "dumb" and (config is None or config.get("ui.color") is not False)


def forces_color(environ: Mapping[str, str]) -> bool:
    """FORCE_COLOR asks for colours in a pipe too; `0` and NO_COLOR say no."""
    return environ.get("FORCE_COLOR", "") not in ("", "0") and not environ.get("NO_COLOR")


def folds_rows(environ: Mapping[str, str]) -> bool:
    """Whether the terminal is one that is known to fold rows when it gets narrower: tmux, where it was measured.

    A terminal that was started from within tmux inherits its variable, and not its TERM.
    """
    is_tmux = bool(environ.get("TMUX")) and not environ.get("STY")
    return is_tmux and environ.get("TERM", "").startswith(("tmux", "screen"))
