"""Whether the web can be searched: which service, and with whose key. Nothing is sent: each search costs money."""

from collections.abc import Mapping

from paicli.app.config.config_file import ConfigFile
from paicli.app.config.web_settings import allowed_hosts, choose_search
from paicli.app.doctor.subject import ok, warn
from paicli.core.errors import SettingsError
from paicli.core.faults import Finding, Verdict, fault_of
from paicli.core.masking import SecretMasker
from paicli.tools.web.search.providers import PROVIDERS


def check_web_search(environ: Mapping[str, str], config: ConfigFile) -> Finding:
    try:
        allowed_hosts(config)
        chosen = choose_search(environ, config)
    except SettingsError as error:
        return Finding(Verdict.BAD, fault_of(error, SecretMasker()))
    if chosen.is_off:
        return ok("doctor.web_off")
    name = chosen.choice.provider
    match chosen.choice.missing:
        case "":
            return ok("doctor.web_search", provider=name, source=chosen.source)
        case "key":
            return warn("doctor.web_no_key", provider=name, variable=PROVIDERS[name].key_variable)
        case "url":
            return warn("doctor.web_no_url", provider=name)
        case _:
            return ok("doctor.web_unset")
