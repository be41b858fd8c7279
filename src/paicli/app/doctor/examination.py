"""The examination as a whole: what is near first, what needs the network last."""

from collections.abc import Iterator

from paicli.app.config.config_file import read_config
from paicli.app.config.model_settings import explain_model
from paicli.app.doctor.local_checks import (
    check_config,
    check_home,
    check_program,
    check_programs,
    check_terminal,
    check_trust,
)
from paicli.app.doctor.model_checks import check_model
from paicli.app.doctor.prompt_check import check_prompts
from paicli.app.doctor.sandbox_check import check_sandbox
from paicli.app.doctor.subject import Subject, bad, ok
from paicli.app.doctor.web_check import check_web_search
from paicli.app.settings import ModelSettings
from paicli.app.setup.trial import TRIAL_S
from paicli.core.cancellation import CancellationToken
from paicli.core.errors import SettingsError
from paicli.core.faults import Finding, Verdict, fault_of
from paicli.core.masking import SecretMasker
from paicli.llm.providers import PROVIDERS


def examine(subject: Subject, cancel: CancellationToken, *, limit_s: float = TRIAL_S) -> Iterator[Finding]:
    """One finding after the other, as it is known. `limit_s`: of each request. Raises TurnCancelled.

    Neither a key's value nor what the terminal would obey stands in a finding as it is: the ui cleans what it shows.
    """
    yield from check_program()
    yield check_home(subject.home)
    yield from check_programs(subject)
    yield from check_terminal(subject)
    yield from check_prompts(subject.home)
    try:
        config = read_config(subject.home / "config.toml")
    except SettingsError as error:
        yield Finding(Verdict.BAD, fault_of(error, SecretMasker()))
        return
    yield from check_config(config)
    yield from check_trust(subject.trust)
    config = config._replace(above=subject.trust.layers)
    sandbox = check_sandbox(subject, config)
    if sandbox is not None:
        yield sandbox
    yield check_web_search(subject.environ, config)
    try:
        chosen = explain_model(subject.model_option, subject.base_url_option, environ=subject.environ, config=config)
    except SettingsError as error:
        yield Finding(Verdict.BAD, fault_of(error, SecretMasker()))
        return
    settings = chosen.settings
    if not isinstance(settings, ModelSettings):
        is_there = settings.path.is_file()
        yield (ok if is_there else bad)("doctor.replay" if is_there else "doctor.replay_missing", path=settings.path)
        return
    yield ok("doctor.model", provider=settings.provider, model=settings.model, url=_without_credentials(settings))
    if settings.api_key:
        yield ok("doctor.key", source=chosen.sources.api_key)
    elif not PROVIDERS[settings.provider].needs_key:
        yield ok("doctor.key_none", provider=settings.provider)
    if subject.is_offline:
        yield ok("doctor.offline")
    else:
        yield from check_model(settings, cancel, limit_s=limit_s)


def _without_credentials(settings: ModelSettings) -> str:
    scheme, _, rest = settings.base_url.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}://{host.rpartition('@')[2]}{slash}{path}"
