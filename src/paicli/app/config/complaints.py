"""All that is wrong with options, environment and configuration at once: one error must not hide the next."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from paicli.app.command_line import CommandLine
from paicli.app.config.config_file import ConfigFile, read_config
from paicli.app.config.environment import choose_language, home_folder
from paicli.app.config.model_settings import explain_model
from paicli.app.config.resolution import existing_folder, max_replans, project_root
from paicli.app.config.side_models import choose_fallbacks, choose_side_model
from paicli.app.config.web_settings import allowed_hosts, choose_search
from paicli.app.trust.project_trust import NOTHING_BROUGHT, ProjectTrust
from paicli.core.errors import SettingsError

MAX_ERRORS = 5
"""More are not said: whoever has mended these is told of the rest."""

Check = Callable[[], object]


def with_others(
    error: SettingsError, line: CommandLine, environ: Mapping[str, str], *, trust: ProjectTrust = NOTHING_BROUGHT
) -> SettingsError:
    """`error`, with whatever else is wrong and does not follow from it in its `others`, each once."""
    found: dict[str, SettingsError] = {}
    for each in (error, *error.others, *_all_errors(line, environ, trust)):
        found.setdefault(str(each), each)
    error.others = tuple(found.values())[1:MAX_ERRORS]
    return error


def _all_errors(line: CommandLine, environ: Mapping[str, str], trust: ProjectTrust) -> Iterator[SettingsError]:
    path = home_folder(environ) / "config.toml"
    yield from _raised(partial(project_root, line.folder))
    for folder in line.added_folders:
        yield from _raised(partial(existing_folder, folder, "--add-dir"))
    try:
        config = read_config(path)._replace(above=trust.layers)
    except SettingsError as error:  # what it says of a model is not known then
        yield from (error, *error.others)
        config = ConfigFile(path, {}, above=trust.layers)
    else:
        yield from _model_errors(line, environ, config)
    checks: list[Check] = [
        partial(choose_language, line.language, environ, config),
        partial(max_replans, environ, config),
        partial(choose_search, environ, config),
        partial(allowed_hosts, config),
    ]
    for check in checks:
        yield from _raised(check)


def _model_errors(line: CommandLine, environ: Mapping[str, str], config: ConfigFile) -> Iterator[SettingsError]:
    """Those of the models beside the main one follow from it where it is not known."""
    try:
        main = explain_model(line.model, line.base_url, environ=environ, config=config).settings
    except SettingsError as error:
        yield error
        return
    for key in ("models.review", "models.small"):
        yield from _raised(partial(choose_side_model, key, main, environ=environ, config=config))
    yield from _raised(partial(choose_fallbacks, line.fallback_model, main, environ=environ, config=config))


def _raised(check: Check) -> tuple[SettingsError, ...]:
    try:
        check()
    except SettingsError as error:
        return (error, *error.others)
    return ()
