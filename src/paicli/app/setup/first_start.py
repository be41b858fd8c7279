"""A session without a model begins with questions. What is answered is tried and kept, and the session goes on.

Ctrl+C and Ctrl+D leave at every question; nothing is written before a model answered, or the person said to keep it.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, Protocol, TypeVar, assert_never

from paicli.app.attended import ends_by_signal
from paicli.app.command_line import CommandLine
from paicli.app.config.config_edit import change_config
from paicli.app.config.config_file import ConfigFile, read_config
from paicli.app.config.environment import choose_language, home_folder, wants_color
from paicli.app.options import ExitStatus
from paicli.app.settings import ModelSettings
from paicli.app.setup.draft import Draft, Surroundings
from paicli.app.setup.trial import TRIAL_S, Trial, on_one_line, try_model
from paicli.core.cancellation import CancellationToken
from paicli.core.catalogue.lookup import Texts
from paicli.core.errors import SettingsError, TurnCancelled
from paicli.core.faults import fault_of
from paicli.core.masking import SecretMasker
from paicli.llm.probe import LOCAL_PORTS, LocalPort, LocalServer, find_local_servers, list_models
from paicli.llm.providers import PROVIDERS, checked_key
from paicli.ui.facts import ColorUse
from paicli.ui.rendering.fault_texts import fault_text
from paicli.ui.rendering.styled import Style

_LISTED_MODELS = 9
_SHOWN_MODELS = 3
_ADDRESS_CODES = {"llm.not_a_reply", "llm.not_http", "llm.not_tls", "llm.redirected", "llm.bad_base_url"}
_KEY_CODES = {"llm.key_refused", "llm.forbidden", "llm.quota_spent"}
_MODEL_CODES = {"llm.not_found", "llm.bad_request"}

Answer = TypeVar("Answer")


class Dialogue(Protocol):
    """How the person is asked. None: back; Ctrl+C and Ctrl+D raise KeyboardInterrupt and EOFError."""

    def say(self, text: str, style: Style = Style.PLAIN) -> None: ...

    def choose(
        self, question: str, choices: Sequence[str], *, names: Sequence[str] = (), preset: int = 0
    ) -> int | None: ...

    def choose_name(self, question: str, names: Sequence[str], *, shown: int) -> str | None: ...

    def ask(self, question: str, *, preset: str = "") -> str | None: ...

    def ask_hidden(self, question: str) -> str | None: ...

    def wait_for(self, message: str, work: Callable[[CancellationToken], Answer]) -> Answer | None: ...


class Outcome(StrEnum):
    READY = "ready"
    """A model is kept in config.toml."""
    DEMO = "demo"
    QUIT = "quit"


class _Step(StrEnum):
    """What the person may do about a model that doesn't work; the values are ends of catalogue codes."""

    KEY = "other_key"
    MODEL = "other_model"
    URL = "other_url"
    AGAIN = "again"
    KEEP = "keep_anyway"
    PROVIDER = "other_provider"
    QUIT = "quit"


class _Offer(NamedTuple):
    name: str
    text: str
    leads_to: Draft | LocalServer | Outcome


def run_first_start(
    line: CommandLine,
    environ: Mapping[str, str],
    *,
    provider: str,
    brought: tuple[ConfigFile, ...] = (),
    go_on: Callable[[], int],
    show_demo: Callable[[], int],
) -> int:
    """Asks, then goes on into the session or the demo; returns the exit status.

    `provider`: what Enter alone takes; `brought`: settings of a trusted folder, which win over what is kept here.
    """
    # prompt_toolkit costs 140 ms at start-up, and only this start asks
    from paicli.ui.setup.dialogue import TerminalDialogue

    config = read_config(home_folder(environ) / "config.toml")._replace(above=brought)
    texts = Texts(choose_language(line.language, environ, config))
    color = ColorUse.ALLOWED if wants_color(environ, config) else ColorUse.NEVER
    dialogue = TerminalDialogue(texts, color=color, is_ascii=bool(config.get("ui.ascii")))
    surroundings = Surroundings(environ, config, line.model, line.base_url)
    try:
        with ends_by_signal():
            outcome = FirstStart(dialogue, texts, surroundings).run(provider)
    except (KeyboardInterrupt, EOFError):
        dialogue.say(texts.screen("setup.left"))
        return ExitStatus.CANCELLED
    match outcome:
        case Outcome.READY:
            return go_on()
        case Outcome.DEMO:
            return show_demo()
        case Outcome.QUIT:
            dialogue.say(texts.screen("setup.left"))
            return ExitStatus.DONE
        case _:
            assert_never(outcome)


class FirstStart:
    """One dialogue, from the list of providers to a model that is kept."""

    def __init__(
        self,
        dialogue: Dialogue,
        texts: Texts,
        surroundings: Surroundings,
        *,
        ports: Sequence[LocalPort] = LOCAL_PORTS,
        trial_s: float = TRIAL_S,
    ) -> None:
        """`ports`: where servers of this machine are looked for."""
        self._dialogue = dialogue
        self._texts = texts
        self._surroundings = surroundings
        self._ports = ports
        self._trial_s = trial_s

    def run(self, provider: str = "") -> Outcome:
        """Raises KeyboardInterrupt or EOFError when the person leaves, SettingsError when nothing can be written."""
        path = self._surroundings.config.path
        self._dialogue.say(self._texts.screen("setup.welcome", path=path), Style.BOLD)
        looking = self._texts.screen("setup.looking")
        servers = self._dialogue.wait_for(looking, lambda _: find_local_servers(self._ports)) or ()
        for server in servers:
            if not server.models:
                address = _address(server.base_url)
                self._say("setup.found_empty", Style.WARNING, provider=server.provider, address=address)
        offers = self._offers([server for server in servers if server.models])
        names = [offer.name for offer in offers]
        preset = names.index(provider) if provider in names else 0
        while True:
            question = self._texts.screen("setup.which")
            number = self._dialogue.choose(question, [offer.text for offer in offers], names=names, preset=preset)
            outcome = Outcome.QUIT if number is None else self._follow(offers[number])
            if outcome is not None:
                return outcome
            preset = number or 0

    def _offers(self, servers: Sequence[LocalServer]) -> list[_Offer]:
        offers: list[_Offer] = []
        for server in servers:
            shown = ", ".join(server.models[:_SHOWN_MODELS]) + (" …" if len(server.models) > _SHOWN_MODELS else "")
            fields = {"provider": server.provider, "address": _address(server.base_url), "models": shown}
            offers.append(_Offer(server.provider, self._texts.screen("setup.found", **fields), server))
        found = {server.provider for server in servers}
        for name, profile in PROVIDERS.items():
            if name not in found:
                text = self._texts.screen(
                    "setup.provider", provider=f"{name:<11}", model=profile.default_model
                ).rstrip()
                is_named = bool(profile.base_url)
                offers.append(_Offer(name, text if is_named else self._texts.screen("setup.provider_own"), Draft(name)))
        offers.append(_Offer("demo", self._texts.screen("setup.demo"), Outcome.DEMO))
        return [*offers, _Offer("quit", self._texts.screen("setup.quit"), Outcome.QUIT)]

    def _follow(self, offer: _Offer) -> Outcome | None:
        """None: back to the list."""
        match offer.leads_to:
            case Outcome() as outcome:
                return outcome
            case Draft() | LocalServer() if self._is_overruled(offer.name):
                return None
            case LocalServer(provider, base_url, models):
                model = models[0] if len(models) == 1 else self._choose_model(models)
                draft = Draft(provider, model or "", base_url) if model is not None else None
            case Draft() as named:
                draft = self._completed(named)
        return self._try_and_keep(draft) if draft is not None else None

    def _is_overruled(self, provider: str) -> bool:
        overruling = self._surroundings.overruling(Draft(provider))
        if overruling is not None:
            self._say("setup.overruled", Style.WARNING, source=overruling[0], provider=overruling[1])
        return overruling is not None

    def _completed(self, draft: Draft) -> Draft | None:
        """With everything that this provider needs; None: back."""
        if draft.profile.needs_key:
            source = self._surroundings.key_source(draft)
            if not source:
                return self._with_key(draft)
            self._say("doctor.key", source=source)
            return draft
        addressed = self._with_url(draft)
        keyed = self._with_key(addressed) if addressed is not None and not draft.profile.base_url else addressed
        return self._with_model(keyed) if keyed is not None else None

    def _with_key(self, draft: Draft) -> Draft | None:
        is_needed = draft.profile.needs_key
        code = "setup.key" if is_needed else "setup.key_optional"
        question = self._texts.screen(code, provider=draft.provider)
        while True:
            typed = self._dialogue.ask_hidden(question)
            if typed is None:
                return None
            if not typed.strip() and not is_needed:
                return draft._replace(api_key="")
            try:
                return draft._replace(api_key=checked_key(typed, self._texts.screen("setup.key_source")))
            except SettingsError as error:
                self._say_error(error)

    def _with_url(self, draft: Draft) -> Draft | None:
        preset = draft.base_url or draft.profile.base_url
        code = "setup.base_url_preset" if preset else "setup.base_url"
        while True:
            url = self._dialogue.ask(self._texts.screen(code, preset=preset), preset=preset)
            if url is None:
                return None
            try:
                self._surroundings.chosen(draft._replace(base_url=url, model=draft.model or "-"))
            except SettingsError as error:
                if error.code == "llm.bad_base_url":
                    self._say_error(error)
                    continue
            return draft._replace(base_url=url)

    def _with_model(self, draft: Draft) -> Draft | None:
        """From the server's own list where it has one; else typed."""
        if not draft.profile.needs_key:
            url = draft.base_url or draft.profile.base_url
            asking = self._texts.screen("setup.asking_models", url=_address(url))
            models = self._dialogue.wait_for(asking, lambda _: list_models(url, draft.api_key) or ())
            if models:
                model = self._choose_model(models)
                return draft._replace(model=model) if model is not None else None
        preset = draft.model or draft.profile.default_model
        code = "setup.model_preset" if preset else "setup.model"
        model = self._dialogue.ask(self._texts.screen(code, preset=preset), preset=preset)
        return draft._replace(model=model) if model is not None else None

    def _choose_model(self, models: Sequence[str]) -> str | None:
        return self._dialogue.choose_name(self._texts.screen("setup.which_model"), models, shown=_LISTED_MODELS)

    def _try_and_keep(self, draft: Draft) -> Outcome | None:
        """None: back to the list."""
        while True:
            trial = self._tried(draft)
            if trial is not None and trial.works:
                return self._keep(draft)
            step = self._ask_step(draft, trial)
            mended: Draft | None = draft
            match step:
                case _Step.AGAIN:
                    pass
                case _Step.KEY:
                    mended = self._with_key(draft)
                case _Step.MODEL:
                    mended = self._with_model(draft)
                case _Step.URL:
                    mended = self._with_url(draft)
                case _Step.KEEP:
                    return self._keep(draft)
                case _Step.PROVIDER:
                    return None
                case _Step.QUIT:
                    return Outcome.QUIT
                case _:
                    assert_never(step)
            draft = mended or draft  # ESC in the middle of mending changes nothing

    def _tried(self, draft: Draft) -> Trial | None:
        """What came of one request, said in one line; None: it was cancelled."""
        try:
            settings = self._surroundings.chosen(draft).settings
        except SettingsError as error:
            self._say_error(error)
            return Trial(0.0, fault=fault_of(error, SecretMasker([draft.api_key])))
        assert isinstance(settings, ModelSettings), "what names a recording was found when the provider was chosen"
        fields = {"provider": settings.provider, "model": settings.model, "seconds": f"{self._trial_s:g}"}
        trial = self._dialogue.wait_for(
            self._texts.screen("setup.trying", **fields), lambda cancel: self._asked(settings, cancel)
        )
        self._say_trial(trial, settings)
        return trial

    def _asked(self, settings: ModelSettings, cancel: CancellationToken) -> Trial | None:
        try:
            return try_model(settings, cancel, limit_s=self._trial_s)
        except TurnCancelled:
            return None

    def _say_trial(self, trial: Trial | None, settings: ModelSettings) -> None:
        if trial is None:
            self._say("setup.cancelled")
        elif trial.fault is not None:
            reason = on_one_line(fault_text(trial.fault, self._texts))
            self._say("setup.failed", Style.BAD, reason=reason)
        elif trial.is_slow:
            self._say("setup.slow", Style.GOOD, model=settings.model, seconds=f"{self._trial_s:g}")
        else:
            text = trial.shown_text(SecretMasker([settings.api_key]))
            code = "setup.answered" if text else "setup.answered_empty"
            self._say(code, Style.GOOD, model=settings.model, seconds=f"{trial.seconds:.1f}", text=text)

    def _ask_step(self, draft: Draft, trial: Trial | None) -> _Step:
        """What to do now; the likeliest is what Enter takes."""
        fault = trial.fault if trial is not None else None
        has_url = not draft.profile.needs_key
        has_key = not self._surroundings.key_source(draft) and (draft.profile.needs_key or not draft.profile.base_url)
        steps = [_Step.AGAIN]
        steps += [_Step.KEY] if has_key else []
        steps += [_Step.URL] if has_url else []
        steps.append(_Step.MODEL)
        # Nobody could say whether it works: a machine without network may still be set up.
        steps += [_Step.KEEP] if fault is None or fault.is_retryable else []
        steps += [_Step.PROVIDER, _Step.QUIT]
        code = fault.code if fault is not None else ""
        likely = _Step.AGAIN
        if code in _KEY_CODES and has_key:
            likely = _Step.KEY
        elif code in _ADDRESS_CODES and has_url:
            likely = _Step.URL
        elif code in _MODEL_CODES:
            likely = _Step.MODEL
        labels = [self._texts.screen(f"setup.{step.value}") for step in steps]
        number = self._dialogue.choose(self._texts.screen("setup.what_now"), labels, preset=steps.index(likely))
        return _Step.PROVIDER if number is None else steps[number]

    def _keep(self, draft: Draft) -> Outcome:
        path = self._surroundings.config.path
        change_config(path, lambda config: self._surroundings._replace(config=config).changes(draft))
        self._say("setup.stored", path=path)
        return Outcome.READY

    def _say(self, code: str, style: Style = Style.PLAIN, **fields: object) -> None:
        self._dialogue.say(self._texts.screen(code, **fields), style)

    def _say_error(self, error: SettingsError) -> None:
        reason = on_one_line(fault_text(fault_of(error, SecretMasker()), self._texts))
        self._say("setup.failed", Style.BAD, reason=reason)


def _address(url: str) -> str:
    return url.partition("://")[2].partition("/")[0].rpartition("@")[2]
