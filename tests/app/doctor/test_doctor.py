# Each outcome of the examination: what it is called, and whether paicli is usable with it.
import io
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from paicli.app.command_line import parse_command_line
from paicli.app.doctor.command import run_doctor
from paicli.app.doctor.examination import examine
from paicli.app.doctor.local_checks import check_terminal
from paicli.app.doctor.subject import Subject, TerminalFacts
from paicli.app.streams import Streams
from paicli.core.cancellation import CancellationToken
from paicli.core.errors import TurnCancelled
from paicli.core.faults import Finding
from paicli.system.sandbox.sandbox import Sandbox, SandboxRefusal
from tests.fakes.openai_server import (
    OpenAiServer,
    RecordedRequest,
    Reply,
    call,
    close_before_headers,
    delta_event,
    hang_before_headers,
    hang_mid_stream,
    json_reply,
    say,
    status,
)

KEY = "sk-canary-1234567890"
TERMINAL = TerminalFacts(is_terminal=True, columns=80, encoding="utf-8")
COUNT = say(" ".join(str(number) for number in range(1, 21)))
CALL = call("report", {"word": "ready"})
JSON = say('{"word": "ready"}')


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir(mode=0o700)
    return folder


def subject(home: Path, *, terminal: TerminalFacts = TERMINAL, is_offline: bool = False, **environ: str) -> Subject:
    given = {"PATH": os.environ["PATH"], "TERM": "xterm-256color", **environ}
    return Subject(given, home, home.parent, terminal, is_offline=is_offline)


def found(asked: Subject) -> dict[str, str]:
    """code → verdict"""
    findings = examine(asked, CancellationToken(), limit_s=1.0)
    return {finding.what.code: finding.verdict.value for finding in findings}


def of_model(home: Path, server: OpenAiServer, provider: str = "openai") -> dict[str, str]:
    """What is found once the configuration is known to be good."""
    variables = {"PAICLI_PROVIDER": provider, "PAICLI_BASE_URL": server.base_url, "PAICLI_MODEL": "m-1"}
    codes = found(subject(home, PAICLI_API_KEY=KEY, **variables))
    names = list(codes)
    return {code: codes[code] for code in names[names.index("doctor.key") + 1 :]}


GOOD = {"doctor.endpoint": "ok", "doctor.streaming": "ok", "doctor.tool_call": "ok"}


@pytest.mark.parametrize(
    ("replies", "expected"),
    [
        ([COUNT, CALL, JSON], {**GOOD, "doctor.json": "ok"}),
        ([status(401, {"error": {"message": "no"}})], {"llm.key_refused": "bad"}),
        ([status(403, "")], {"llm.forbidden": "bad"}),
        ([status(404, "<html>nothing</html>")], {"llm.not_found": "bad"}),
        ([status(200, "<html>welcome</html>")], {"llm.not_a_reply": "bad"}),
        ([status(302, "", {"Location": "http://elsewhere/"})], {"llm.redirected": "bad"}),
        ([status(429, {"error": {"message": "slow down"}})], {"llm.rate_limited": "bad"}),
        ([status(500, "")], {"llm.server_failed": "bad"}),
        ([close_before_headers()], {"llm.stream_cut": "bad"}),
        ([hang_before_headers()], {"llm.overlong": "bad"}),
        (
            [hang_mid_stream(delta_event(content="1 "), delta_event(content="2 ")), CALL, JSON],
            {
                "doctor.slow": "warn",
                "doctor.streaming": "ok",
                "doctor.tool_call": "ok",
                "doctor.json": "ok",
            },
        ),
        (
            [json_reply({"choices": [{"message": {"content": "1 2 3"}, "finish_reason": "stop"}]}), CALL, JSON],
            {**GOOD, "doctor.streaming": None, "doctor.not_streaming": "warn", "doctor.json": "ok"},
        ),
        (
            [COUNT, say("I can't"), JSON],
            {**GOOD, "doctor.tool_call": None, "doctor.no_tool_call": "bad", "doctor.json": "ok"},
        ),
        (
            [COUNT, call("write", {"word": "ready"}), JSON],
            {**GOOD, "doctor.tool_call": None, "doctor.wrong_tool_name": "bad", "doctor.json": "ok"},
        ),
        (
            [COUNT, call("report", '{"word": '), JSON],
            {**GOOD, "doctor.tool_call": None, "doctor.wrong_tool_arguments": "bad", "doctor.json": "ok"},
        ),
        (
            [COUNT, status(400, {"error": {"message": "no tools here"}}), JSON],
            {**GOOD, "doctor.tool_call": None, "llm.bad_request": "bad", "doctor.json": "ok"},
        ),
        ([COUNT, CALL, say("ready!")], {**GOOD, "doctor.json_wrong": "warn"}),
        ([COUNT, CALL, status(400, "")], {**GOOD, "llm.bad_request": "warn"}),
    ],
)
def test_what_the_endpoint_does_has_a_name(home: Path, replies: list[Reply], expected: dict[str, str | None]) -> None:
    with OpenAiServer(replies) as server:
        assert of_model(home, server) == {code: verdict for code, verdict in expected.items() if verdict}

        assert len(server.requests) == len(replies)
        assert [request.headers["authorization"] for request in server.requests] == [f"Bearer {KEY}"] * len(replies)


def test_json_mode_is_asked_only_where_it_is_claimed(home: Path) -> None:
    with OpenAiServer([COUNT, CALL]) as server:
        assert of_model(home, server, "custom") == GOOD

    with OpenAiServer([COUNT, CALL, JSON]) as server:
        of_model(home, server)
        bodies = [request.body for request in server.requests]
    assert [("tools" in body, "response_format" in body, body["stream"]) for body in bodies] == [
        (False, False, True),
        (True, False, True),
        (False, True, True),
    ]


def test_nobody_answers_at_the_address(home: Path) -> None:
    codes = found(subject(home, PAICLI_BASE_URL="http://127.0.0.1:1/v1", PAICLI_MODEL="m"))

    assert codes["llm.unreachable"] == "bad"


def test_the_examination_can_be_cancelled(home: Path) -> None:
    cancel = CancellationToken()

    def answer(request: RecordedRequest) -> Reply:
        cancel.cancel()
        return hang_before_headers()

    with OpenAiServer(answer) as server, pytest.raises(TurnCancelled):
        list(examine(subject(home, PAICLI_BASE_URL=server.base_url, PAICLI_MODEL="m"), cancel))


def test_offline_sends_nothing_and_says_so(home: Path) -> None:
    with OpenAiServer([]) as server:
        variables = {"PAICLI_BASE_URL": server.base_url, "PAICLI_MODEL": "m"}
        codes = found(subject(home, is_offline=True, **variables))

        assert server.connection_count == 0
    assert (codes["doctor.model"], codes["doctor.key_none"], codes["doctor.offline"]) == ("ok", "ok", "ok")


def with_config(text: str, mode: int = 0o600) -> Callable[[Path], None]:
    def prepare(home: Path) -> None:
        (home / "config.toml").write_text(text)
        (home / "config.toml").chmod(mode)

    return prepare


def as_file(home: Path) -> None:
    home.rmdir()
    home.write_text("")


@pytest.mark.parametrize(
    ("prepare", "environ", "expected"),
    [
        (lambda home: None, {}, {"doctor.home": "ok", "doctor.config_none": "ok", "settings.no_model": "bad"}),
        (Path.rmdir, {}, {"doctor.home_new": "ok"}),
        (lambda home: home.chmod(0o755), {}, {"doctor.home_open": "warn"}),
        (as_file, {}, {"doctor.home_unwritable": "bad", "settings.config_unreadable": "bad"}),
        (with_config("[[["), {}, {"settings.config_syntax": "bad"}),
        (with_config("[ui]\nascii = 1\n"), {}, {"settings.config_wants_a_switch": "bad"}),
        (with_config("[ui]\nmagic = 1\n"), {}, {"settings.config_key_unknown": "warn", "doctor.config": "ok"}),
        (with_config(f'[model]\napi_key = "{KEY}"\n', 0o644), {}, {"doctor.config_open": "warn"}),
        (with_config('[model]\nprovider = "glm"\n'), {}, {"settings.no_key": "bad"}),
        (with_config('[model]\nprovider = "glm"\n'), {"GLM_API_KEY": ""}, {"llm.key_empty": "bad"}),
        (with_config('[model]\nprovider = "glm"\n'), {"GLM_API_KEY": KEY}, {"doctor.key": "ok"}),
        (with_config('[model]\nmodel = "replay:/nowhere"\n'), {}, {"doctor.replay_missing": "bad"}),
        (lambda home: None, {"PATH": "/nowhere"}, {"doctor.git_none": "warn", "doctor.sandbox_none": "warn"}),
        (with_config('[sandbox]\nmode = "loose"\n'), {}, {"settings.config_wants_sandbox": "bad"}),
    ],
)
def test_what_lies_here_has_a_name(
    home: Path, prepare: Callable[[Path], Any], environ: Mapping[str, str], expected: dict[str, str]
) -> None:
    prepare(home)

    codes = found(subject(home, is_offline=True, **environ))

    assert {code: codes.get(code) for code in expected} == expected


@pytest.mark.parametrize(
    ("refusal", "expected"),
    [
        (None, ("doctor.sandbox_works", "ok")),
        (SandboxRefusal("missing", "bwrap"), ("sandbox.missing", "bad")),
        (SandboxRefusal("refused", "bwrap", "why"), ("sandbox.refused", "bad")),
    ],
)
def test_the_sandbox_that_is_asked_for_is_tried(
    home: Path, monkeypatch: pytest.MonkeyPatch, refusal: SandboxRefusal | None, expected: tuple[str, str]
) -> None:
    monkeypatch.setattr(Sandbox, "refusal", lambda self: refusal)
    with_config('[sandbox]\nmode = "strict"\n')(home)
    codes = found(subject(home, is_offline=True))
    tried = {"doctor.sandbox_works", "sandbox.missing", "sandbox.refused"}
    assert [(code, verdict) for code, verdict in codes.items() if code in tried] == [expected]


@pytest.mark.parametrize(
    ("terminal", "environ", "expected"),
    [
        (TERMINAL, {}, {"terminal": "ok", "colors": "ok", "paste": "ok", "encoding": "ok"}),
        (
            TERMINAL._replace(columns=30),
            {},
            {"terminal_narrow": "warn", "colors": "ok", "paste": "ok", "encoding": "ok"},
        ),
        (TERMINAL._replace(is_terminal=False), {}, {"terminal_none": "ok", "encoding": "ok"}),
        (TERMINAL, {"TERM": "dumb"}, {"terminal_none": "ok", "encoding": "ok"}),
        (TERMINAL, {"TERM": "vt100"}, {"terminal": "ok", "colors": "ok", "paste_unknown": "warn", "encoding": "ok"}),
        (TERMINAL, {"NO_COLOR": "1"}, {"terminal": "ok", "colors_none": "ok", "paste": "ok", "encoding": "ok"}),
        (
            TERMINAL._replace(encoding="ascii"),
            {"TERM": "tmux-256color"},
            {"terminal": "ok", "colors": "ok", "paste": "ok", "encoding_wrong": "warn"},
        ),
    ],
)
def test_what_the_terminal_can_do_has_a_name(
    home: Path, terminal: TerminalFacts, environ: Mapping[str, str], expected: dict[str, str]
) -> None:
    findings: list[Finding] = list(check_terminal(subject(home, terminal=terminal, **environ)))

    assert {finding.what.code.removeprefix("doctor."): finding.verdict.value for finding in findings} == expected


def ran(home: Path, *argv: str, **environ: str) -> tuple[int, list[str]]:
    streams = Streams(io.StringIO(), io.StringIO(), io.StringIO())
    given = {"PATH": os.environ["PATH"], "PAICLI_HOME": str(home), "LANG": "en_US.UTF-8", **environ}
    status = run_doctor(parse_command_line(["doctor", *argv]), given, streams)
    assert isinstance(streams.stdout, io.StringIO)
    return status, streams.stdout.getvalue().splitlines()


def test_the_command_prints_a_line_each_and_exits_0_when_usable(home: Path) -> None:  # C42
    with OpenAiServer([COUNT, CALL]) as server:
        status, lines = ran(
            home, "--base-url", server.base_url, "-m", "m-1", PAICLI_API_KEY=KEY, PAICLI_PROVIDER="custom"
        )

    assert status == 0
    assert lines[-1] == "paicli is ready to work."
    assert {line[:4].strip() for line in lines[:-1]} <= {"ok", "warn"}
    assert [line for line in lines if "key from PAICLI_API_KEY" in line]
    assert KEY not in "".join(lines)


def test_the_command_exits_1_and_says_what_to_mend(home: Path) -> None:
    with OpenAiServer([status(401, {"error": {"message": f"bad key\n{KEY}\x1b[2J"}})]) as server:
        outcome, lines = ran(home, "--base-url", server.base_url, "-m", "m-1", PAICLI_API_KEY=KEY)

    assert (outcome, lines[-1]) == (1, "To be mended before paicli can work: 1")
    (line,) = [line for line in lines if line.startswith("bad")]
    assert "HTTP 401" in line
    assert "Check PAICLI_API_KEY" in line
    assert KEY not in line
    assert "\x1b" not in line


def test_a_broken_configuration_is_a_finding_and_no_end(home: Path) -> None:  # C75
    (home / "config.toml").write_text("[ui]\nascii = maybe\n")

    status, lines = ran(home, "--offline")

    assert status == 1
    assert [line for line in lines if line.startswith(f"bad   {home / 'config.toml'}:2:")]


def test_git_of_the_project_is_not_run(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # C81
    mark = tmp_path / "MARK"
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text(f"[core]\nfsmonitor = touch {mark}; false\n")
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    monkeypatch.chdir(tmp_path)

    ran(home, "--offline")

    assert not mark.exists()
