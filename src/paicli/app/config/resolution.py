"""From command line, environment and config.toml to Settings: option > environment > configuration > default."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from paicli.app.command_line import CommandLine
from paicli.app.config.config_file import ConfigFile, is_secret_header, read_config
from paicli.app.config.environment import choose_language, forces_color, home_folder, wants_color
from paicli.app.config.key_destination import key_elsewhere
from paicli.app.config.model_settings import explain_model, key_variables
from paicli.app.config.side_models import check_prices, choose_fallbacks, choose_side_model
from paicli.app.config.web_settings import allowed_hosts, choose_search, search_key_variables
from paicli.app.settings import Settings
from paicli.app.trust.project_trust import NOTHING_BROUGHT, ProjectTrust
from paicli.core.errors import SettingsError
from paicli.core.faults import Fault
from paicli.core.ops import Mode
from paicli.system.sandbox.confinement import SandboxMode
from paicli.ui.facts import NotifyBy


class Configured(NamedTuple):
    settings: Settings
    warnings: tuple[Fault, ...]


def resolve_settings(
    line: CommandLine, environ: Mapping[str, str], *, trust: ProjectTrust = NOTHING_BROUGHT
) -> Configured:
    """`trust`: what may be used of the folder. Raises SettingsError naming the option, variable or place at fault."""
    home = home_folder(environ)
    config = read_config(home / "config.toml")._replace(above=trust.layers)
    explained = explain_model(line.model, line.base_url, environ=environ, config=config)
    chosen = explained.settings
    review = choose_side_model("models.review", chosen, environ=environ, config=config)
    small = choose_side_model("models.small", chosen, environ=environ, config=config)
    fallbacks = choose_fallbacks(line.fallback_model, chosen, environ=environ, config=config)
    budget_usd: float | None = line.max_budget_usd or config.get("limits.max_budget_usd")
    if budget_usd is not None:
        check_prices((chosen, review, small, *fallbacks), config=config)
    return Configured(
        Settings(
            language=choose_language(line.language, environ, config),
            home=home,
            project_root=project_root(line.folder),
            model=chosen,
            mode=Mode(line.mode or config.get("session.mode") or Mode.AUTO),
            plan_parallel=config.get("plan.parallel") or 4,
            plan_max_replans=max_replans(environ, config),
            keep_days=30 if (days := config.get("storage.keep_days")) is None else days,
            max_steps=line.max_turns or config.get("limits.max_turns"),
            max_budget_tokens=config.get("limits.max_tokens"),
            max_budget_usd=budget_usd,
            verbose=line.is_verbose,
            added_folders=tuple(existing_folder(folder, "--add-dir") for folder in line.added_folders),
            tool_names=line.tools,
            record=Path(line.record).expanduser().absolute() if line.record else None,
            append_system_prompt=line.append_system_prompt,
            is_ascii=bool(config.get("ui.ascii")),
            color=wants_color(environ, config),
            notify=NotifyBy(config.get("ui.notify") or NotifyBy.BELL),
            is_color_forced=forces_color(environ),
            theme=config.get("ui.theme") or "dark",
            snapshots_enabled=config.get("snapshots.enabled") is not False,
            sandbox=SandboxMode(line.sandbox or config.get("sandbox.mode") or SandboxMode.OFF),
            review_model=review,
            small_model=small,
            fallback_models=fallbacks,
            allow_rules=(*line.allowed_tools, *config.collected("permissions.allow")),
            ask_rules=config.collected("permissions.ask"),
            deny_rules=(*line.disallowed_tools, *config.collected("permissions.deny")),
            rule_origins=_rule_origins(line, config),
            secrets=known_secrets(environ, config),
            secret_variables=key_variables() | search_key_variables(),
            web_search=choose_search(environ, config).choice,
            web_allow_hosts=allowed_hosts(config),
            skills_off=config.collected("skills.off"),
            trust=trust,
        ),
        (*(warning for file in config.layers for warning in file.warnings), *key_elsewhere(explained, config)),
    )


def _rule_origins(line: CommandLine, config: ConfigFile) -> tuple[tuple[str, str], ...]:
    by_option = {"--allowed-tools": line.allowed_tools, "--disallowed-tools": line.disallowed_tools}
    origins = [(rule, option) for option, rules in by_option.items() for rule in rules]
    for key in ("permissions.allow", "permissions.ask", "permissions.deny"):
        origins += [(rule, config.origin_of(key, rule)) for rule in config.collected(key)]
    return tuple(origins)


def project_root(folder: str) -> Path:
    """The folder of `-C`, else the current one, resolved. Raises SettingsError where there is none."""
    if folder:
        return existing_folder(folder, "-C")
    try:
        return Path.cwd()
    except OSError as error:
        raise SettingsError("settings.no_current_folder") from error


def known_secrets(environ: Mapping[str, str], config: ConfigFile | None = None) -> tuple[str, ...]:
    """Values of every key paicli knows of, used or not: whatever leaves the process is masked with them."""
    values = [environ.get(name, "").strip() for name in sorted(key_variables() | search_key_variables())]
    files = config.layers if config is not None else ()
    for key, value in ((key, value) for file in files for key, value in file.values.items()):
        if key.endswith(".api_key"):
            values.append(str(value).strip())
        elif key == "model.headers":
            values += _secret_headers(value)
    return tuple(dict.fromkeys(value for value in values if value))


def _secret_headers(headers: Mapping[str, str]) -> list[str]:
    return [value.rpartition(" ")[2] for name, value in headers.items() if is_secret_header(name)]


def max_replans(environ: Mapping[str, str], config: ConfigFile) -> int:
    """How often a plan is made anew. Raises SettingsError for a variable that is no such number."""
    variable = "PAICLI_PLAN_MAX_REPLANS"
    text = environ.get(variable, "").strip()
    if not text:
        configured: Any = config.get("plan.max_replans")
        return 2 if configured is None else configured
    if not (text.isascii() and text.isdigit() and len(text) <= 3 and int(text) <= 100):
        raise SettingsError("settings.variable_wants", variable=variable, wanted="0..100", value=text[:40])
    return int(text)


def existing_folder(folder: str, option: str) -> Path:
    """Resolved. Raises SettingsError, naming the option, where there is none."""
    path = Path(folder).expanduser()
    try:
        is_folder = path.is_dir()
        resolved = path.resolve()
    except (OSError, ValueError, RuntimeError):
        is_folder, resolved = False, path
    if not is_folder:
        raise SettingsError("settings.folder_missing", option=option, path=folder)
    return resolved
