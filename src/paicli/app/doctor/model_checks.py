"""Whether the model that is configured can be worked with: it answers, it streams, it calls tools, it writes JSON."""

import json
from collections.abc import Iterator
from typing import Any

from paicli.app.doctor.subject import bad, ok, warn
from paicli.app.settings import ModelSettings
from paicli.app.setup.trial import TRIAL_S, Trial, ask_once, open_trial_client
from paicli.core.cancellation import CancellationToken
from paicli.core.catalogue.lookup import model_text
from paicli.core.errors import SettingsError
from paicli.core.faults import Fault, Finding, Verdict, fault_of
from paicli.core.masking import SecretMasker
from paicli.core.messages import ChatRequest, ResponseFormat, ToolDeclaration, UserMessage
from paicli.llm.client import LlmClient
from paicli.llm.providers import provider_named

_TOOL = "report"


def check_model(settings: ModelSettings, cancel: CancellationToken, *, limit_s: float = TRIAL_S) -> Iterator[Finding]:
    """At most three requests of one try and `limit_s` seconds each. Raises TurnCancelled."""
    masker = SecretMasker([settings.api_key])
    try:
        client = open_trial_client(settings, limit_s=limit_s)
    except SettingsError as error:
        yield _failed(fault_of(error, masker))
        return
    try:
        first = ask_once(client, _request("probe.count"), cancel=cancel, masker=masker)
        if first.fault is not None:
            yield _failed(first.fault)
            return
        yield from _of_stream(first, limit_s)
        yield _check_tool_call(client, cancel, masker)
        if provider_named(settings.provider).quirks.may_ask_for_json(is_thinking=False):
            yield _check_json(client, cancel, masker)
    finally:
        client.close()


def _of_stream(trial: Trial, limit_s: float) -> Iterator[Finding]:
    if trial.is_slow:
        yield warn("doctor.slow", seconds=f"{limit_s:g}")
    else:
        yield ok("doctor.endpoint", seconds=f"{trial.seconds:.1f}")
    # The answer is long enough for several deltas wherever nobody gathers them up.
    yield ok("doctor.streaming", count=trial.pieces) if trial.pieces > 1 else warn("doctor.not_streaming")


def _check_tool_call(client: LlmClient, cancel: CancellationToken, masker: SecretMasker) -> Finding:
    schema = {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}
    tool = ToolDeclaration(_TOOL, model_text("probe.tool"), schema)
    trial = ask_once(client, _request("probe.call")._replace(tools=(tool,)), cancel=cancel, masker=masker)
    if trial.fault is not None:
        return _failed(trial.fault)
    calls = trial.response.tool_calls if trial.response is not None else ()
    if not calls:
        return bad("doctor.no_tool_call")
    if calls[0].name != _TOOL:
        return bad("doctor.wrong_tool_name", name=masker.mask(calls[0].name))
    arguments = _parsed(calls[0].arguments)
    if not isinstance(arguments, dict) or "word" not in arguments:
        return bad("doctor.wrong_tool_arguments")
    return ok("doctor.tool_call")


def _check_json(client: LlmClient, cancel: CancellationToken, masker: SecretMasker) -> Finding:
    """A plan can be read from plain text too: no JSON is no reason to refuse the model."""
    request = _request("probe.json")._replace(response_format=ResponseFormat.JSON_OBJECT)
    trial = ask_once(client, request, cancel=cancel, masker=masker)
    if trial.fault is not None:
        return Finding(Verdict.WARN, trial.fault)
    is_object = trial.response is not None and isinstance(_parsed(trial.response.content), dict)
    return ok("doctor.json") if is_object else warn("doctor.json_wrong")


def _request(code: str) -> ChatRequest:
    return ChatRequest((UserMessage(model_text(code)),), thinking=False, actor="probe")


def _failed(fault: Fault) -> Finding:
    return Finding(Verdict.BAD, fault)


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
