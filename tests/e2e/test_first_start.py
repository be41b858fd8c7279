# The first start at the surface of the installed program: a real terminal, a real process, real HTTP.
import json
import os
import signal
import stat
from pathlib import Path

import pexpect
import pytest

from paicli.app.config.config_file import read_config
from tests.e2e.harness import PAICLI, Terminal, environment, run_paicli
from tests.fakes.openai_server import (
    OpenAiServer,
    RecordedRequest,
    Reply,
    call,
    hang_before_headers,
    say,
    status,
)
from tests.patience import PATIENCE_S

ENTER, ESC, CTRL_C, CTRL_D = "\r", "\x1b", "\x03", "\x04"
KEY, WRONG = "sk-canary-right-1234567890", "sk-canary-wrong-1234567890"
ASKED_URL, ASKED_KEY = "接口地址,通常以 /v1 结尾", "API key(不显示"
ENDS_PASTE_MODE = b"\x1b[?2004l"


def config_of(home: Path) -> Path:
    return home / ".paicli" / "config.toml"


def choose_custom(terminal: Terminal, server: OpenAiServer) -> None:
    terminal.wait_for("选择模型服务", "退出", "]:")
    terminal.press("custom" + ENTER)
    terminal.wait_for(ASKED_URL)
    terminal.press(server.base_url + ENTER)
    terminal.wait_for(ASKED_KEY)


def everything_below(folder: Path) -> str:
    """All files but config.toml, as text."""
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != "config.toml"]
    return "\n".join(path.read_text(errors="replace") for path in files)


def is_restored(terminal: Terminal) -> bool:
    """The last the terminal heard of bracketed paste is that it is off."""
    return ENDS_PASTE_MODE in terminal.raw[terminal.raw.rindex(b"\x1b[?2004h") :]


@pytest.mark.parametrize("size", [(24, 80), (10, 40)])
def test_a_wrong_key_then_the_right_one_then_the_session(project: Path, home: Path, size: tuple[int, int]) -> None:
    replies = [status(401, {"error": {"message": f"bad key {WRONG}"}}), say("你好"), say("第一个回答")]
    with (
        OpenAiServer(replies) as server,
        Terminal(project=project, home=home, server=None, size=size) as terminal,
    ):
        choose_custom(terminal, server)
        terminal.press(f"\x1b[200~{WRONG}\n\x1b[201~")
        terminal.press(ENTER)
        terminal.wait_for("fake-model", "输入编号或任何模型名 [1]:")
        terminal.press(ENTER)
        terminal.wait_for("401", "换一个 key", "[2]:")
        assert not config_of(home).exists()
        terminal.press(ENTER)
        terminal.wait_until(lambda text: text.count(ASKED_KEY) == 2, "the question for a key again")
        arguments = Path(f"/proc/{terminal.child.pid}/cmdline").read_bytes()
        terminal.press(KEY + ENTER)
        terminal.wait_for("fake-model 在", "你好", "已保存到", "AUTO")
        assert KEY.encode() not in arguments + Path(f"/proc/{terminal.child.pid}/cmdline").read_bytes()
        terminal.press("问一句")
        terminal.press(ENTER)
        terminal.wait_for("第一个回答")
        terminal.press("/exit")
        terminal.press(ENTER)
        assert terminal.wait_end() == 0
        assert [request.headers["authorization"] for request in server.requests] == [
            f"Bearer {key}" for key in (WRONG, KEY, KEY)
        ]
        shown = terminal.raw.decode(errors="replace") + terminal.text()
    # C42
    assert "canary" not in shown
    assert "canary" not in everything_below(home)
    assert dict(read_config(config_of(home)).values) == {
        "model.provider": "custom",
        "model.model": "fake-model",
        "model.base_url": server.base_url,
        "providers.custom.api_key": KEY,
    }
    assert stat.S_IMODE(config_of(home).stat().st_mode) == 0o600
    assert stat.S_IMODE(config_of(home).parent.stat().st_mode) == 0o700


def test_the_second_start_asks_nothing_and_comments_are_kept(project: Path, home: Path) -> None:
    config_of(home).parent.mkdir()
    config_of(home).write_text("# mine\n[plan]\nparallel = 2 # two are enough\n")
    with OpenAiServer([say("你好")]) as server:
        with Terminal(project=project, home=home, server=None) as terminal:
            choose_custom(terminal, server)
            terminal.press(ENTER)
            terminal.wait_for("输入编号或任何模型名 [1]:")
            terminal.press(ENTER)
            terminal.wait_for("已保存到", "AUTO")
            terminal.press(CTRL_D)
            assert terminal.wait_end() == 0
        with Terminal(project=project, home=home, server=None) as again:
            again.wait_for("AUTO", "fake-model")
            assert "选择模型服务" not in again.text()
            again.press(CTRL_D)
            assert again.wait_end() == 0
        assert len(server.requests) == 1
    assert config_of(home).read_text() == (
        "# mine\n[plan]\nparallel = 2 # two are enough\n\n"
        f'[model]\nprovider = "custom"\nmodel = "fake-model"\nbase_url = "{server.base_url}"\n'
    )


@pytest.mark.parametrize(
    ("step", "key"),
    [
        ("list", CTRL_D),
        ("list", CTRL_C),
        ("address", CTRL_C),
        ("key", CTRL_C),
        ("model", CTRL_C),
        ("trial", CTRL_D),
        ("what now", CTRL_C),
    ],
)
def test_leaving_at_any_step_keeps_nothing_and_restores_the_terminal(
    project: Path, home: Path, step: str, key: str
) -> None:
    def answer(request: RecordedRequest) -> Reply:
        return hang_before_headers() if step == "trial" else status(401, "")

    steps = [
        ("list", "]:", "custom" + ENTER),
        ("address", ASKED_URL, ""),
        ("key", ASKED_KEY, WRONG + ENTER),
        ("model", "输入编号或任何模型名 [1]:", ENTER),
        ("trial", "正在试用", ""),
        ("what now", "接下来", ""),
    ]
    with OpenAiServer(answer) as server, Terminal(project=project, home=home, server=None) as terminal:
        for name, shown, keys in steps:
            if name == "trial" and step != "trial":
                continue  # answered at once: nothing to see
            terminal.wait_for(shown)
            if name == step:
                break
            terminal.press(server.base_url + ENTER if name == "address" else keys)
        if step == "trial":
            server.wait_for_requests(1)
        if step == "what now":
            terminal.wait_for("[2]:")
        terminal.press(key)
        assert terminal.wait_end() == 130
        assert "没有保存任何内容" in terminal.text()
        assert is_restored(terminal) or step == "trial"
        if step == "trial":
            assert server.requests[0].client_gone.wait(PATIENCE_S)
    assert not config_of(home).exists()
    assert "canary" not in terminal.raw.decode(errors="replace") + everything_below(home)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_at_the_hidden_question_restores_the_terminal(
    project: Path, home: Path, number: signal.Signals
) -> None:
    with OpenAiServer([]) as server, Terminal(project=project, home=home, server=None) as terminal:
        choose_custom(terminal, server)
        terminal.press(WRONG)
        os.kill(terminal.child.pid, number)
        assert terminal.wait_end() == 128 + number
        assert is_restored(terminal)
    assert not config_of(home).exists()


@pytest.mark.parametrize("key", [ESC, CTRL_C])
def test_a_try_ends_at_once_and_another_one_may_follow(project: Path, home: Path, key: str) -> None:
    with (
        OpenAiServer([hang_before_headers(), say("你好")]) as server,
        Terminal(project=project, home=home, server=None) as terminal,
    ):
        choose_custom(terminal, server)
        terminal.press(ENTER)
        terminal.wait_for("输入编号或任何模型名 [1]:")
        terminal.press(ENTER)
        server.wait_for_requests(1)
        terminal.press(key)
        assert server.requests[0].client_gone.wait(PATIENCE_S)
        terminal.wait_for("已取消这次试用", "再试一次", "[1]:")
        terminal.press(ENTER)
        terminal.wait_for("已保存到", "AUTO")
        terminal.press(CTRL_D)
        assert terminal.wait_end() == 0


def test_esc_goes_back_and_an_arrow_key_is_no_esc(project: Path, home: Path) -> None:
    with OpenAiServer([]) as server, Terminal(project=project, home=home, server=None) as terminal:
        choose_custom(terminal, server)
        terminal.press("\x1b[D")
        terminal.press(ESC)
        terminal.wait_until(lambda text: text.count("选择模型服务") == 2, "the list again")
        terminal.press("quit" + ENTER)
        assert terminal.wait_end() == 0
    assert not config_of(home).exists()


def test_the_demo_is_one_of_the_choices(project: Path, home: Path) -> None:
    with Terminal(project=project, home=home, server=None) as terminal:
        terminal.wait_for("先看演示", "]:")
        terminal.press("demo" + ENTER)
        terminal.wait_for("演示: 模型的回复是事先准备好的", "计划已生成")
        terminal.press(ESC)
        terminal.wait_end()
        assert "要用真实的模型" in terminal.text()
    assert not config_of(home).exists()


def test_the_key_of_a_named_provider_is_asked_for(project: Path, home: Path) -> None:
    config_of(home).parent.mkdir()
    with OpenAiServer([say("你好")]) as server:
        config_of(home).write_text(f'[model]\nprovider = "kimi"\n[providers.kimi]\nbase_url = "{server.base_url}"\n')
        with Terminal(project=project, home=home, server=None) as terminal:
            terminal.wait_for("选择模型服务", "]:")
            terminal.press(ENTER)
            terminal.wait_for("kimi 的 API key")
            terminal.press(KEY + ENTER)
            terminal.wait_for("kimi-k2.6 在", "AUTO")
            terminal.press(CTRL_D)
            assert terminal.wait_end() == 0
    assert read_config(config_of(home)).get("providers.kimi.api_key") == KEY


@pytest.mark.parametrize("arguments", [(), ("-p", "你好"), ("plan", "目标")])
def test_without_a_person_nothing_is_asked(project: Path, home: Path, arguments: tuple[str, ...]) -> None:
    ran = run_paicli(*arguments, project=project, home=home)

    assert (ran.status, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    assert "还没有配置模型" in ran.stderr


@pytest.mark.parametrize(("arguments", "term"), [(("-p", "你好"), "xterm-256color"), ((), "dumb")])
def test_at_a_terminal_only_a_session_with_keys_asks(
    project: Path, home: Path, arguments: tuple[str, ...], term: str
) -> None:
    with Terminal(*arguments, project=project, home=home, server=None, TERM=term) as terminal:
        assert terminal.wait_end() == 2
        assert "还没有配置模型" in terminal.text().replace("\n", "")


def test_config_takes_a_key_hidden_and_the_doctor_uses_it(project: Path, home: Path) -> None:
    with OpenAiServer([say("1 2 3 4 5 6 7 8 9 10"), call("report", {"word": "ready"})]) as server:
        for key, value in (("model.provider", "custom"), ("model.base_url", server.base_url), ("model.model", "m-1")):
            assert run_paicli("config", "set", key, value, project=project, home=home).status == 0
        with Terminal("config", "set", "model.api_key", project=project, home=home, server=None) as terminal:
            terminal.wait_for("model.api_key(不显示)")
            terminal.press(KEY + ENTER)
            assert terminal.wait_end() == 0
            assert "已写入" in terminal.text()
            assert KEY not in terminal.raw.decode()

        ran = run_paicli("doctor", project=project, home=home)

        assert [request.headers["authorization"] for request in server.requests] == [f"Bearer {KEY}"] * 2
    assert (ran.status, ran.stderr) == (0, "")
    assert ran.stdout.splitlines()[-1] == "paicli 可以使用。"
    assert KEY not in ran.stdout
    shown = run_paicli("config", project=project, home=home)
    assert f'model.model = "m-1"{" " * 3}' in shown.stdout
    assert KEY not in shown.stdout


@pytest.mark.parametrize(
    "command",
    [
        ["-c", 'exec "$0" config set model.api_key'],
        ["-c", 'TERM=dumb exec "$0" config set model.api_key'],
        ["-c", 'exec "$0" config set model.api_key >out'],
    ],
)
def test_a_key_is_not_echoed_by_any_terminal(project: Path, home: Path, command: list[str]) -> None:  # C42
    child = pexpect.spawn(
        "/bin/sh", [*command, PAICLI], cwd=str(project), env=environment(home, None), timeout=PATIENCE_S, echo=True
    )
    child.expect_exact("model.api_key(不显示)".encode())
    child.waitnoecho(5)
    child.send(KEY + "\r")
    child.expect(pexpect.EOF)
    shown = child.before
    child.close()

    assert child.exitstatus == 0
    assert KEY.encode() not in shown
    assert read_config(config_of(home)).get("model.api_key") == KEY


def test_the_doctor_says_what_is_wrong_and_exits_1(project: Path, home: Path) -> None:
    with OpenAiServer([status(401, {"error": {"message": "bad key"}})]) as server:
        ran = run_paicli("doctor", project=project, home=home, server=server)

    assert ran.status == 1
    (line,) = [line for line in ran.stdout.splitlines() if line.startswith("异常")]
    assert "HTTP 401" in line
    assert "PAICLI_API_KEY" in line


def test_wrong_keys_and_values_are_one_line_and_exit_2(project: Path, home: Path) -> None:  # C75
    config_of(home).parent.mkdir()
    config_of(home).write_text("[plan]\nparallel = 7\n")
    broken = run_paicli("config", project=project, home=home)
    unknown = run_paicli("config", "set", "plan.paralel", "2", project=project, home=home)

    assert (broken.status, unknown.status) == (2, 2)
    assert f"{config_of(home)}:2:1: plan.parallel" in broken.stderr
    assert "是不是 plan.parallel" in unknown.stderr
    assert config_of(home).read_text() == "[plan]\nparallel = 7\n"


def test_git_of_the_project_runs_nothing_of_it(project: Path, home: Path) -> None:  # C81
    mark = project / "MARK"
    (project / ".git").mkdir()
    (project / ".git" / "HEAD").write_text("ref: refs/heads/trunk\n")
    (project / ".git" / "config").write_text(
        f"[core]\n\tfsmonitor = touch {mark}; false\n\tpager = touch {mark}\n\thooksPath = {project}\n"
    )
    with (
        OpenAiServer([say("你好")]) as server,
        Terminal(project=project, home=home, server=server, size=(24, 120)) as terminal,
    ):
        terminal.wait_for("AUTO", "trunk")
        terminal.press("你好")
        terminal.press(ENTER)
        terminal.wait_until(lambda text: len(server.requests) == 1, "a request")
        terminal.press(CTRL_D)
        terminal.wait_end()
    assert run_paicli("doctor", "--offline", project=project, home=home, server=server).status == 0
    assert not mark.exists()
    assert "trunk" not in json.dumps(server.requests[0].body["messages"][0])


def test_the_doctor_of_the_session_examines_the_model_in_use(project: Path, home: Path) -> None:
    replies = [say("1 2 3 4 5 6 7 8 9 10"), say("我只会说话"), say("还在")]
    with (
        OpenAiServer(replies) as server,
        Terminal(project=project, home=home, server=server, size=(40, 120)) as terminal,
    ):
        terminal.wait_for("AUTO")
        terminal.press("/doctor offline" + ENTER)
        terminal.wait_for("没有检查网络部分", "paicli 可以使用。")
        assert server.connection_count == 0
        terminal.press("/doctor" + ENTER)
        terminal.wait_for("流式输出正常", "模型没有调用工具", "有 1 项需要处理")
        terminal.press("还在吗" + ENTER)
        terminal.wait_for("还在")
        terminal.press("/exit" + ENTER)
        assert terminal.wait_end() == 0
        assert [request.body["model"] for request in server.requests] == ["test-1"] * 3
        assert [len(request.body["messages"]) for request in server.requests[:2]] == [1, 1]


def test_the_doctor_answers_line_by_line_too(project: Path, home: Path) -> None:
    with OpenAiServer([]) as server:
        ran = run_paicli(project=project, home=home, server=server, stdin="/doctor offline\n/doctor now\n/exit\n")

    assert ran.status == 0
    assert "密钥来自 PAICLI_API_KEY" in ran.stdout
    assert "用法: /doctor [offline]" in ran.stdout
    assert "canary" not in ran.stdout + ran.stderr
