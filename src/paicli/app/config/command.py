"""`paicli config`: shows the settings in force and their sources, or reads and changes one of them."""

import difflib
import getpass
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from paicli.app.command_line import CommandLine
from paicli.app.config.config_edit import change_config, with_changes
from paicli.app.config.config_file import KEYS, ConfigFile, kind_of, read_config
from paicli.app.config.environment import choose_language, home_folder, wants_color
from paicli.app.config.listing import effective_settings, is_secret, masked
from paicli.app.config.model_settings import checked_url
from paicli.app.options import ExitStatus
from paicli.app.streams import Streams
from paicli.core.catalogue.lookup import Texts
from paicli.core.errors import SettingsError
from paicli.core.faults import fault_of
from paicli.core.masking import SecretMasker
from paicli.llm.providers import PROVIDERS, checked_key, provider_named
from paicli.ui.facts import ColorUse
from paicli.ui.rendering.fault_texts import fault_text
from paicli.ui.sanitize import clean

_PIPED_LIMIT = 10_000


def run_config(line: CommandLine, environ: Mapping[str, str], streams: Streams) -> ExitStatus:
    """Returns the exit status. Raises SettingsError for a broken file, an unknown key or a value that doesn't fit."""
    path = home_folder(environ) / "config.toml"
    match line.arguments:
        case ("path",):
            return streams.end_with(f"{path}\n")
        case ("get" | "set", key, *_):
            _check_key(key)
        case () | ("list",):
            pass
        case _:
            raise SettingsError("config.usage")
    config = read_config(path)._replace(above=_brought(line, environ, streams))
    command = _ConfigCommand(
        environ, config, texts=Texts(choose_language(line.language, environ, config)), streams=streams
    )
    match line.arguments:
        case ("get", key):
            return command.get(key)
        case ("set", key):
            return command.set_asked(key)
        case ("set", key, value):
            return command.set(key, value)
        case () | ("list",):
            return command.show()
        case _:
            raise SettingsError("config.usage")


def _brought(line: CommandLine, environ: Mapping[str, str], streams: Streams) -> tuple[ConfigFile, ...]:
    """What the current folder adds, where it is trusted; what it would add is said where it isn't."""
    # start-up: 3 ms, and a cycle: trust reads settings
    from paicli.app.trust.decision import decide_trust

    return decide_trust(line, environ, streams).layers


class _ConfigCommand:
    def __init__(self, environ: Mapping[str, str], config: ConfigFile, *, texts: Texts, streams: Streams) -> None:
        self._environ = environ
        self._config = config
        self._texts = texts
        self._streams = streams

    def show(self) -> ExitStatus:
        listing = effective_settings(self._environ, self._config, self._texts)
        rows = [(f"{setting.key} = {setting.shown}", setting.source) for setting in listing.settings]
        widest = max(len(left) for left, _ in rows)
        shown = [f"{left:<{min(widest, 60)}}  # {source}" for left, source in rows]
        if listing.problem is not None:
            fault = fault_of(listing.problem, SecretMasker())
            reason = " ".join(fault_text(fault, self._texts).split("\n"))
            shown.insert(0, self._texts.screen("config.model_missing", reason=reason))
        for warning in (warning for file in self._config.layers for warning in file.warnings):
            text = self._texts.screen("cli.warning", text=fault_text(warning, self._texts))
            self._streams.tell(text)
        return self._streams.end_with(clean("\n".join(shown)) + "\n")

    def get(self, key: str) -> ExitStatus:
        """The value alone; FAILED where there is none."""
        setting = effective_settings(self._environ, self._config, self._texts).find(key)
        value = setting.value if setting is not None else self._config.get(key)
        if value is None:
            return ExitStatus.FAILED
        shown = masked(key, value) if isinstance(value, str) else setting.shown if setting is not None else str(value)
        return self._streams.end_with(clean(f"{shown}\n"))

    def set_asked(self, key: str) -> ExitStatus:
        """The value comes hidden from the terminal, or from a pipe: what other processes may not see."""
        if not is_secret(key):
            raise SettingsError("config.value_missing", key=key)
        typed = self._typed(key)
        if typed is None:
            self._streams.tell(self._texts.screen("config.not_written"))
            return ExitStatus.CANCELLED
        return self._write(key, checked_key(typed, key))

    def set(self, key: str, text: str) -> ExitStatus:
        if is_secret(key):
            raise SettingsError("config.secret_in_argv", key=key)
        return self._write(key, _value_of(key, text))

    def _typed(self, key: str) -> str | None:
        stdin = self._streams.stdin
        if not self._streams.is_input_terminal:
            return stdin.readline(_PIPED_LIMIT) if stdin is not None else ""
        question = self._texts.screen("config.hidden_prompt", key=key)
        try:
            if not self._streams.is_output_terminal or self._environ.get("TERM", "dumb") == "dumb":
                return getpass.getpass(question)  # the terminal alone is told not to echo: nothing is drawn
            # prompt_toolkit costs 140 ms at start-up, and only a key is asked for
            from paicli.ui.setup.dialogue import TerminalDialogue

            color = ColorUse.ALLOWED if wants_color(self._environ, self._config) else ColorUse.NEVER
            return TerminalDialogue(self._texts, color=color).ask_hidden(question)
        except (KeyboardInterrupt, EOFError):
            return None

    def _write(self, key: str, value: Any) -> ExitStatus:
        path: Path = self._config.path
        change_config(path, {key: value})
        self._streams.tell(self._texts.screen("config.written", path=path, key=key))
        after = with_changes(self._config, {key: value})
        now = effective_settings(self._environ, after, self._texts).find(key)
        if now is not None and now.value != value:
            self._streams.tell(self._texts.screen("config.overruled", source=now.source))
        return ExitStatus.DONE


def _check_key(key: str) -> None:
    """Raises SettingsError naming the nearest key."""
    known = [name for name in KEYS if "*" not in name]
    known += [name.replace("*", provider) for name in KEYS if "*" in name for provider in PROVIDERS]
    if key in known:
        return
    nearest = difflib.get_close_matches(key, known, n=1)
    if nearest:
        raise SettingsError("config.key_unknown_nearest", key=key, nearest=nearest[0])
    raise SettingsError("config.key_unknown", key=key, known=", ".join(KEYS))


def _value_of(key: str, text: str) -> Any:
    """`text` as the key's kind reads it. Raises SettingsError where it doesn't fit."""
    kind = kind_of(key)
    assert kind is not None, key
    value: Any = text.strip()
    if key == "model.provider":
        value = provider_named(value).name
    elif key.endswith(".base_url"):
        value = checked_url(value)
    elif not kind.fits(value):  # no word: TOML, of one value only, for a line break could bring other keys
        try:
            value = tomllib.loads(f"value = {text}").get("value") if "\n" not in text else None
        except (tomllib.TOMLDecodeError, RecursionError):
            value = None
    if value is None or not kind.fits(value):
        raise SettingsError(kind.wanted.replace("config_wants", "value_wants"), key=key)
    return value
