"""Wrong calls, settings, endpoints, folders and streams: a clear line, the right exit status, nothing half done."""

import itertools
import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from tests.e2e.harness import PAICLI, Finished, environment, last_message, run_paicli
from tests.e2e.strict import CANARY, assert_said_briefly, at_once, started, tool_results, type_into
from tests.fakes.openai_server import (
    DONE,
    STARTED,
    OpenAiServer,
    RecordedRequest,
    Reply,
    call,
    calls,
    chunk,
    delta_event,
    drop_mid_stream,
    event,
    finish_event,
    json_reply,
    raw_sse,
    say,
    status,
)
from tests.fakes.raw_server import RawServer
from tests.patience import PATIENCE_S


def refused(project: Path, home: Path, *argv: str, **extra: str) -> str:
    """What a call says that ends with 2 before any request, in one or two lines, and leaves no session behind."""
    with OpenAiServer([]) as server:
        done = run_paicli(*argv, project=project, home=home, server=server, **extra)
        assert (done.status, done.stdout, server.connection_count) == (2, "", 0), (argv, done)
    assert_said_briefly(done, lines=2)
    assert done.stderr.startswith("paicli: ")
    assert list(home.rglob("*.jsonl")) == []
    assert CANARY not in done.stderr
    return done.stderr


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (("--frob",), "--frob"),
        (("--modell", "x"), "--model?"),
        (("demoo",), "demo?"),
        (("fix the bug",), "paicli -p"),
        (("plan",), "GOAL"),
        (("--mode", "fast"), "auto | plan | ask"),
        (("--max-turns", "0", "-p", "x"), "--max-turns"),
        (("-y",), "-p, run, demo"),
        (("-p", "x", "y"), "y"),
        (("-p", "  "), "TEXT"),
        (("-p", "/frobb"), "/frobb"),
        (("-C", "/no/such/folder"), "/no/such/folder"),
        (("--add-dir", "/no/such/folder", "-p", "x"), "/no/such/folder"),
        (("--tools", "frob", "-p", "x"), "frob"),
        (("--allowed-tools", "frob(x)", "-p", "x"), "frob(x)"),
        (("--allowed-tools", "execute_command(", "-p", "x"), "execute_command("),
        (("run", "no-such-plan.json"), "no-such-plan.json"),
        (("run", "."), "."),
        (("plan", "x", "--out", "no/such/folder/plan.json"), "plan.json"),
        (("-m", "replay:no-such-file", "-p", "x"), "no-such-file"),
        (("--base-url", "ftp://x/v1", "-p", "x"), "ftp://x/v1"),
        (("--base-url", "http://127.0.0.1:99999/v1", "-p", "x"), "99999"),
        (("--base-url", f"http://{'a' * 300}/v1", "-p", "x"), "aaa"),
    ],
)
def test_a_wrong_call_names_what_is_wrong(project: Path, home: Path, argv: tuple[str, ...], words: str) -> None:
    assert words in refused(project, home, *argv)


@pytest.mark.parametrize(
    ("variable", "value", "words"),
    [
        ("PAICLI_LANG", "xx", "PAICLI_LANG"),
        ("PAICLI_PLAN_MAX_REPLANS", "many", "PAICLI_PLAN_MAX_REPLANS"),
        ("PAICLI_API_KEY", "sk-canary\nagain", "PAICLI_API_KEY"),
        ("PAICLI_API_KEY", "", "PAICLI_API_KEY"),
        ("PAICLI_PROVIDER", "opnai", "openai, "),
        ("PAICLI_BASE_URL", "localhost:8080", "localhost:8080"),
        ("HTTP_PROXY", "nonsense://x", "HTTPS_PROXY"),
        ("PAICLI_HOME", "/dev/null/x", "/dev/null/x"),
    ],
)
def test_a_wrong_variable_is_named_and_a_key_never_shown(
    project: Path, home: Path, variable: str, value: str, words: str
) -> None:
    extra = {"PAICLI_BASE_URL": "http://models.invalid/v1"} if variable == "HTTP_PROXY" else {}
    assert words in refused(project, home, "-p", "x", **{**extra, variable: value})


def config_of(home: Path) -> Path:
    (home / ".paicli").mkdir(exist_ok=True)
    return home / ".paicli" / "config.toml"


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b'[model]\nmodel="a"\n[model]\nmodel="b"\n', ":3:7: [model]: "),
        (b'[model]\nmodel="F:\\dir\\x"\n', ":2:12: model: "),
        (b'[model]\nconnect_timeout_s="ten"\n', ":2:1: model.connect_timeout_s: "),
        (b"[plan]\nparallel = 9\n", ":2:1: plan.parallel: "),
        (b'[session]\nmode = "fast"\n', ":2:1: session.mode: "),
        (b'[model]\nmodel="caf\xe9"\n', ":2:11: "),
        (b'[model]\napi_key="sk-canary-99999999\n', ":2:28: api_key: "),
        (b"a=" + b"[" * 100_000, "config.toml: "),
    ],
)
def test_c75_a_broken_config_is_told_by_line_and_key_and_left_as_it_is(
    project: Path, home: Path, raw: bytes, words: str
) -> None:
    config_of(home).write_bytes(raw)
    assert f"{config_of(home)}" in (said := refused(project, home, "-p", "x"))
    assert words in said
    assert config_of(home).read_bytes() == raw


def test_c75_what_is_no_config_file_is_refused_and_what_nobody_reads_is_a_warning(project: Path, home: Path) -> None:
    config = config_of(home)
    os.mkfifo(config)
    assert str(config) in refused(project, home, "-p", "x")
    config.unlink()
    config.mkdir()
    assert str(config) in refused(project, home, "-p", "x")
    config.rmdir()
    with config.open("wb") as big:
        big.truncate(100_000_000)
    assert str(config) in refused(project, home, "-p", "x")
    config.write_bytes(b"\xef\xbb\xbf[model]\nfrob = 1\n")
    with OpenAiServer([say("好")]) as server:
        done = run_paicli("-p", "x", project=project, home=home, server=server)
    assert (done.status, done.stdout) == (0, "好\n")
    assert f"{config}:2:1: model.frob: " in done.stderr
    assert_said_briefly(done, lines=1)


def test_unknown_commands_of_a_session_name_the_nearest_and_reach_no_model(project: Path, home: Path) -> None:
    with OpenAiServer([]) as server:
        done = run_paicli(project=project, home=home, server=server, stdin="/frob\n/plna x\n/mode fast\n/exit\n")
        assert server.connection_count == 0
    assert done.status == 0
    assert done.stdout.count("未知命令") == 2
    assert "/plan" in done.stdout


# Endpoints


def failed(project: Path, home: Path, url: str, *, exit_status: int = 1, lines: int = 3) -> str:
    """What a `-p` turn says of an endpoint that is none."""
    settings = {"PAICLI_PROVIDER": "custom", "PAICLI_MODEL": "m", "PAICLI_BASE_URL": url}
    key = {"PAICLI_API_KEY": f"{CANARY}-1234567"}
    done = run_paicli("-p", "x", project=project, home=home, **settings, **key)
    assert (done.status, done.stdout) == (exit_status, ""), done
    assert_said_briefly(done, lines=lines)
    assert CANARY not in done.stderr
    return done.stderr


@pytest.mark.parametrize("banner", [b"SSH-2.0-OpenSSH_9.0\r\n", b"220 mail ESMTP\r\n", b"\x15\x03\x01\x00\x02\x02\x46"])
def test_an_endpoint_that_is_no_http_server_is_told_at_once(project: Path, home: Path, banner: bytes) -> None:
    with RawServer([banner], asks_first=banner[0] == 0x15) as server:
        said = failed(project, home, server.base_url())
        assert server.connection_count == 1
    assert "HTTP" in said
    assert server.base_url() in said


def test_https_on_a_plain_port_is_told_at_once(project: Path, home: Path) -> None:
    with RawServer([b"HTTP/1.1 400 Bad Request\r\n\r\n"]) as server:
        assert "TLS" in failed(project, home, server.base_url("https"))


def endless(head: bytes, piece: bytes) -> Iterable[bytes]:
    return itertools.chain([head], itertools.repeat(piece))


def test_heads_and_bodies_without_end_are_cut_off(project: Path, home: Path) -> None:
    with RawServer(endless(b"HTTP/1.1 200 OK\r\n", b"X: " + b"a" * 1_000 + b"\r\n")) as server:
        failed(project, home, server.base_url())
    stream = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
    with RawServer(endless(stream, delta_event(content="y" * 500_000))) as server:
        assert "64 MB" in failed(project, home, server.base_url())


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("application/pdf", b"%PDF-1.4 junk"),
        ("", b"[1, 2]"),
        ("application/json", b'{"object": "list"}'),
    ],
)
def test_wrong_content_is_told_with_its_type(project: Path, home: Path, content_type: str, body: bytes) -> None:
    reply = raw_sse(body)._replace(headers=(("Content-Type", content_type),))
    with OpenAiServer([reply]) as server:
        said = failed(project, home, server.base_url)
    assert f"HTTP 200 ({content_type or '-'})" in said


def test_a_redirect_loop_is_not_followed(project: Path, home: Path) -> None:
    with OpenAiServer([status(301, "", {"Location": "/v1/chat/completions"})]) as server:
        assert "HTTP 301" in failed(project, home, server.base_url)


def test_what_may_pass_is_tried_five_times_and_the_status_says_so(tmp_path: Path) -> None:
    def homes(name: str) -> tuple[Path, Path]:
        for folder in ("project", "home"):
            (tmp_path / name / folder).mkdir(parents=True)
        return tmp_path / name / "project", tmp_path / name / "home"

    def nobody_listens() -> None:
        said = failed(*homes("nobody"), "http://127.0.0.1:1/v1", exit_status=75, lines=7)
        assert said.count("重试") == 4
        assert "127.0.0.1:1" in said

    def no_such_host() -> None:
        assert "models.invalid" in failed(*homes("host"), "http://models.invalid/v1", exit_status=75, lines=7)

    def broken_chunks() -> None:
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n"
        with RawServer([head]) as server:
            failed(*homes("chunks"), server.base_url(), exit_status=75, lines=7)
            assert server.connection_count == 5

    def cut_inside_a_character() -> None:  # C05, C07
        cut = event(chunk({"content": "修"}))
        with OpenAiServer([drop_mid_stream(STARTED, cut[: cut.index(b"\xe4\xbf") + 2])] * 5) as server:
            said = failed(*homes("cut"), server.base_url, exit_status=75, lines=7)
            assert len({request.raw_body for request in server.requests}) == 1
        assert "中断" in said
        assert said.count("\ufffd") <= 1

    def drips_for_ever() -> None:
        project, home = homes("drips")
        config_of(home).write_text("[model]\nrequest_timeout_s = 0.5\n")
        with RawServer([b"HTTP/1.1 200 OK\r\nX: "]) as server:
            assert "0.5 s" in failed(project, home, server.base_url(), exit_status=75)

    at_once(nobody_listens, no_such_host, broken_chunks, cut_inside_a_character, drips_for_ever)


def test_json_without_an_answer_is_an_empty_reply_and_json_with_one_is_an_answer(project: Path, home: Path) -> None:
    with OpenAiServer([json_reply({"choices": []})] * 2) as server:
        assert "没有给出内容" in failed(project, home, server.base_url)
    with OpenAiServer([json_reply({"choices": [{"message": {"content": "好"}}]})]) as server:
        assert run_paicli("-p", "x", project=project, home=home, server=server).stdout == "好\n"


# Folders and files


@pytest.mark.parametrize("taken", [".paicli", ".paicli/sessions"])
def test_a_home_that_cannot_be_written_is_named(project: Path, home: Path, taken: str) -> None:
    (home / taken).parent.mkdir(exist_ok=True)
    (home / taken).write_text("x")
    assert str(home / ".paicli") in refused(project, home, "-p", "x")
    assert str(home / ".paicli") in refused(project, home)
    assert (home / taken).read_text() == "x"


def run_in_shell(script: str, *, cwd: Path, home: Path, server: OpenAiServer | None) -> Finished:
    """`script` in bash, with the program as $P."""
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=cwd,
        env=environment(home, server, P=PAICLI),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
    return Finished(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode())


@pytest.mark.parametrize("arguments", ["-p x", "", "plan x"])
def test_a_project_folder_that_has_gone_is_told(project: Path, home: Path, arguments: str) -> None:
    done = run_in_shell(f'rmdir "$PWD"; "$P" {arguments}', cwd=project, home=home, server=None)
    assert (done.status, done.stdout) == (2, "")
    assert_said_briefly(done, lines=2)  # and no model is set


def test_a_project_that_goes_during_a_session_leaves_a_session_that_can_be_left(project: Path, home: Path) -> None:
    def vanish(request: RecordedRequest) -> Reply:
        shutil.rmtree(project, ignore_errors=True)
        return say("好") if last_message(request)["role"] == "tool" else call("list_dir", {})

    with OpenAiServer(vanish) as server:
        lines = "看\n!echo own\n/plan x\n再看\n/exit\n"
        done = run_paicli(project=project, home=home, server=server, stdin=lines)
        told = last_message(server.requests[1])["content"]
    assert (done.status, done.stderr) == (0, "")
    assert "不存在" in told
    assert "own" in done.stdout.split("!echo own")[1]


def put_fifo(path: Path) -> None:
    os.mkfifo(path)


def put_loop(path: Path) -> None:
    path.symlink_to(path)


UNUSABLE: dict[str, Callable[[Path], object]] = {
    "a pipe": put_fifo,
    "a folder": Path.mkdir,
    "a circle of links": put_loop,
    "no UTF-8": lambda path: path.write_bytes(b"\xff\xfe\xff"),
    "too large": lambda path: path.write_bytes(b"a" * 2_000_000),
}


@pytest.mark.parametrize(
    ("name", "what"), [*(("base.md", what) for what in UNUSABLE), ("tools/read_file.md", "a pipe")]
)
def test_a_prompt_file_that_cannot_be_used_is_named(project: Path, home: Path, name: str, what: str) -> None:
    path = home / ".paicli" / "prompts" / name
    path.parent.mkdir(parents=True)
    UNUSABLE[what](path)
    with OpenAiServer([]) as server:
        done = run_paicli("-p", "x", project=project, home=home, server=server)
        assert server.connection_count == 0
    assert (done.status, done.stdout) == (2, "")
    assert_said_briefly(done, lines=1)
    assert str(path) in done.stderr


RULES: dict[str, tuple[Callable[[Path], object], str]] = {
    "huge": (lambda path: path.write_bytes("规则\n".encode() * 5_000_000), "40,000"),
    "binary": (lambda path: path.write_bytes(bytes(range(256)) * 100), "没有读入"),
    "a pipe": (put_fifo, "没有读入"),
    "a folder": (Path.mkdir, "没有读入"),
    "a device": (lambda path: path.symlink_to("/dev/zero"), "没有读入"),
    "a link out": (lambda path: path.symlink_to(path.parent.parent / "home" / "secret"), "没有读入"),
    "hidden text": (lambda path: path.write_text("规则\U000e0041\U000e0042"), "2 个不可见"),
}


@pytest.mark.parametrize(("put", "words"), RULES.values(), ids=RULES)
def test_rules_that_are_odd_are_warned_of_and_the_turn_goes_on(
    project: Path, home: Path, put: Callable[[Path], object], words: str
) -> None:
    (home / "secret").write_text("SECRET-OF-HOME")
    put(project / "PAI.md")
    with OpenAiServer([say("好")]) as server:
        done = run_paicli("-p", "x", project=project, home=home, server=server)
        system = server.requests[0].body["messages"][0]["content"]
    assert (done.status, done.stdout) == (0, "好\n")
    assert words in done.stderr
    assert str(project / "PAI.md") in done.stderr
    assert_said_briefly(done, lines=1)
    assert len(system) < 45_000
    assert "SECRET-OF-HOME" not in system
    assert not any("\U000e0000" <= character <= "\U000e007f" for character in system)


def test_a_session_is_warned_of_odd_rules_before_its_first_turn(project: Path, home: Path) -> None:
    os.mkfifo(project / "PAI.md")
    with OpenAiServer([]) as server:
        done = run_paicli(project=project, home=home, server=server, stdin="/exit\n")
    assert done.status == 0
    assert str(project / "PAI.md") in done.stderr


# Streams


LONG = say("很长的回答" * 20_000)


@pytest.mark.parametrize("arguments", ["-p x", "plan x", ""])
def test_c52_a_closed_stdout_is_told_before_a_model_is_asked(project: Path, home: Path, arguments: str) -> None:
    with OpenAiServer([]) as server:
        done = run_in_shell(f'"$P" {arguments} >&-', cwd=project, home=home, server=server)
    assert done.status == 2
    assert_said_briefly(done, lines=1)


def test_c52_a_reader_that_leaves_is_quiet_and_no_success(project: Path, home: Path) -> None:
    for arguments in ("-p x", "-p x --output-format stream-json"):
        with OpenAiServer([LONG]) as server:
            script = f'"$P" {arguments} | head -c1; exit ${{PIPESTATUS[0]}}'
            done = run_in_shell(script, cwd=project, home=home, server=server)
        assert (done.status, len(done.stdout), done.stderr) == (1, 1, "")


def test_a_full_disk_behind_stdout_is_told(project: Path, home: Path) -> None:
    for arguments in ("-p x", "-p x --output-format stream-json", ""):
        with OpenAiServer(lambda request: say("好")) as server:
            done = run_in_shell(f'"$P" {arguments} >/dev/full', cwd=project, home=home, server=server)
        assert done.status == 1
        assert_said_briefly(done, lines=1)
        assert "No space left" in done.stderr


def test_a_full_disk_behind_the_journal_costs_the_record_and_is_told(project: Path, home: Path) -> None:
    with OpenAiServer([call("list_dir", {}), say("好" * 2_000)]) as server:
        done = run_in_shell('ulimit -f 1; "$P" -p x', cwd=project, home=home, server=server)
    assert (done.status, done.stdout) == (0, "好" * 2_000 + "\n")
    (journal,) = home.rglob("sessions/*/*.jsonl")
    assert f"{journal} 无法写入" in done.stderr
    assert done.stderr.count("无法写入") == 1


def test_a_full_disk_behind_a_written_file_leaves_what_was_there(project: Path, home: Path) -> None:
    (project / "old").write_text("old\n")
    config_of(home).write_text("[model]\nwindow_tokens = 2000000\n")  # both calls have to fit
    long = "x" * 1_000_000
    steps = [
        call("read_file", {"path": "old"}),
        calls(("write_file", {"path": "old", "content": long}), ("write_file", {"path": "new", "content": long})),
        say("好"),
    ]
    with OpenAiServer(steps) as server:
        done = run_in_shell('ulimit -f 100; "$P" -p x', cwd=project, home=home, server=server)
        told = tool_results(server.requests[2])
    assert (done.status, done.stdout) == (0, "好\n")
    assert ["读写失败" in result for result in told] == [False, True, True]
    assert {path.name: path.read_text() for path in project.iterdir()} == {"old": "old\n"}


def test_c52_without_stdin_or_stderr_the_answer_comes_all_the_same(project: Path, home: Path) -> None:
    for redirect in ("<&-", "<&- 2>&-", "2>/dev/full"):
        with OpenAiServer([say("好")]) as server:
            done = run_in_shell(f'"$P" -p x {redirect}', cwd=project, home=home, server=server)
        assert (done.status, done.stdout, done.stderr) == (0, "好\n", "")
    for redirect in ("<&-", "</dev/null"):
        with OpenAiServer([]) as server:
            assert run_in_shell(f'"$P" {redirect}', cwd=project, home=home, server=server).status == 0


def test_c52_a_session_that_was_told_to_end_ends_its_turn_first(project: Path, home: Path) -> None:
    with (
        OpenAiServer([raw_sse(STARTED, delta_event(content="好"), finish_event(), DONE)]) as server,
        started(project=project, home=home, server=server) as process,
    ):
        type_into(process, "说\n")
        server.wait_for_requests(1)
        os.kill(process.pid, signal.SIGTERM)
        _, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 128 + signal.SIGTERM
    assert b"Traceback" not in errors
