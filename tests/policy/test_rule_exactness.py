import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paicli.core.errors import SettingsError
from paicli.policy.command_rules import pattern_for
from paicli.policy.grants.urls import UrlPattern
from paicli.policy.rules import RuleSet, parse_rule
from paicli.policy.secret_files import is_secret
from tests.policy.rule_tables import PROPOSED
from tests.random_examples import examples

TOOLS = ["read_file", "write_file", "edit_file", "execute_command", "web_fetch"]


def allowed(rule: str, command: str) -> bool:
    return RuleSet.parse(allow=[rule]).decide("execute_command", {"command": command}) == "allow"


@pytest.mark.parametrize(("command", "pattern", "neighbour"), PROPOSED)
def test_always_proposes_a_rule_that_leaves_the_nearest_danger_out(  # C45
    command: str, pattern: str | None, neighbour: str
) -> None:
    assert pattern_for(command) == pattern
    if pattern is not None:
        rule = f"execute_command({pattern})"
        assert (allowed(rule, command), allowed(rule, neighbour)) == (True, False)


def test_a_rule_that_names_the_dangerous_option_covers_it() -> None:
    rule = "execute_command(git diff --output=x:*)"
    assert allowed(rule, "git diff --output=x HEAD")
    assert not allowed(rule, "git diff --output=x --ext-diff")


@pytest.mark.parametrize(
    ("rule", "command"),
    [
        ("npm publish:*", "npm --silent publish"),
        ("pip install:*", "python3 -m pip install x"),
        ("pip install:*", "pip --quiet install x"),
        ("kubectl delete:*", "kubectl -n x delete pod y"),
        ("kubectl delete:*", "kubectl --namespace=x delete y"),
        ("terraform apply:*", "terraform -chdir=x apply"),
        ("gh pr merge:*", "gh -R x pr merge 1"),
        ("systemctl stop:*", "systemctl --user stop x"),
        ("make deploy:*", "make -j4 deploy"),
        ("cargo publish:*", "cargo +stable publish"),
        ("rm:*", "python3 -c 'import os; os.system(\"rm x\")'"),
    ],
)
def test_a_deny_rule_holds_behind_options_modules_and_code_and_an_allow_rule_does_not(rule: str, command: str) -> None:
    text = f"execute_command({rule})"
    rules = RuleSet.parse(allow=["execute_command"], deny=[text])
    assert rules.decide("execute_command", {"command": command}) == "deny"
    assert not allowed(text, command)


def test_a_deny_rule_leaves_what_only_names_its_words() -> None:
    rules = RuleSet.parse(allow=["execute_command"], deny=["execute_command(make deploy:*)", "execute_command(rm:*)"])
    for command in ("make -j4 test", "make test deploy", "git rm x", "python3 -c 'print(\"rm x\")'", "echo rm x"):
        assert rules.decide("execute_command", {"command": command}) == "allow"


def test_a_rule_names_what_a_runner_runs() -> None:
    rule = "execute_command(uv run pytest:*)"
    assert [
        allowed(rule, text) for text in ("uv run pytest -q", "uv run pytest -p x", "uv run env pytest", "pytest")
    ] == [
        True,
        False,
        False,
        False,
    ]
    assert not allowed("execute_command(uv run:*)", "uv run rm x")
    assert not allowed("execute_command(uv run env:*)", "uv run env rm x")


@pytest.mark.parametrize(
    "command",
    [
        "env rm x",
        "env A=1 rm x",
        "ls | xargs rm",
        "find . -exec rm {} +",
        "find . -delete",
        "git log > x",
        "git log $(id)",
        "git log `id`",
        "PAGER=id git log",
        "git -c core.pager=id log",
        "git log --output=x",
    ],
)
def test_no_prefix_rule_covers_what_runs_or_writes_something_else(command: str) -> None:
    rules = RuleSet.parse(allow=[f"execute_command({name}:*)" for name in ("env", "ls", "xargs", "find", "git")])
    assert rules.decide("execute_command", {"command": command}) == "none"


RULES = st.one_of(
    st.sampled_from([f"execute_command({pattern})" for _, pattern, _ in PROPOSED if pattern]),
    st.sampled_from(
        ["write_file(src/**)", "edit_file(*.py)", "read_file(./docs/**)", "read_file(~/notes/**)", "web_fetch", "*",
         "web_fetch(https://docs.python.org/*)", "mcp__server__tool", "mcp__server__*",
         "execute_command(echo 'a b' \"c\":*)", "execute_command(echo \\\"x\\\")", "read_file(ä \\ \"x\".txt)"]
    ),
)  # fmt: skip
CALLS: list[tuple[str, dict[str, str]]] = [
    ("write_file", {"path": "src/a"}),
    ("write_file", {"path": "src/../a"}),
    ("edit_file", {"path": "deep/a.py"}),
    ("read_file", {"path": "docs/a"}),
    ("read_file", {"path": 'ä \\ "x".txt'}),
    ("web_fetch", {"url": "https://docs.python.org/3/"}),
    ("web_fetch", {"url": "https://docs.python.org.evil/"}),
    ("mcp__server__tool", {}),
    ("mcp__server__other", {}),
    ("execute_command", {"command": "echo 'a b' c d"}),
    *[("execute_command", {"command": text}) for row in PROPOSED for text in (row[0], row[2])],
]


def as_toml(rules: list[str]) -> str:
    escaped = [rule.replace("\\", "\\\\").replace('"', '\\"') for rule in rules]
    return "allow = [" + ", ".join(f'"{rule}"' for rule in escaped) + "]"


@examples(60)
@given(st.lists(RULES, max_size=4))
def test_rules_decide_the_same_after_they_were_written_and_read(rules: list[str]) -> None:  # C45
    before = RuleSet.parse(allow=rules)
    read = tomllib.loads(as_toml([rule.text for rule in before.allow]))["allow"]
    after = RuleSet.parse(allow=read)
    assert after.allow == before.allow
    assert [after.decide(*call) for call in CALLS] == [before.decide(*call) for call in CALLS]


@pytest.mark.parametrize(
    ("pattern", "url", "is_covered"),
    [
        ("https://docs.python.org/*", "https://docs.python.org/3/library/", True),
        ("https://docs.python.org/*", "HTTPS://DOCS.PYTHON.ORG/3", True),
        ("https://docs.python.org/*", "https://docs.python.org:443/3", True),
        ("https://docs.python.org/*", "https://docs.python.org./3", True),
        ("https://docs.python.org/*", "https://docs.python.org", True),
        ("https://docs.python.org/*", "http://docs.python.org/3", False),
        ("https://docs.python.org/*", "https://docs.python.org:8443/3", False),
        ("https://docs.python.org/*", "https://docs.python.org.evil.example/3", False),
        ("https://docs.python.org/*", "https://docs.python.org@evil.example/3", False),
        ("https://docs.python.org/*", "https://docs.python.org:x@evil.example/3", False),
        ("https://docs.python.org/*", "https://evil.example/https://docs.python.org/3", False),
        ("https://docs.python.org/*", "https://evil.example\\@docs.python.org/3", False),
        ("https://docs.python.org/*", "https://docs.pythоn.org/3", False),
        ("https://docs.python.org/*", "https://docs-python.org/3", False),
        ("https://docs.python.org/3/*", "https://docs.python.org/3/a", True),
        ("https://docs.python.org/3/*", "https://docs.python.org/3", True),
        ("https://docs.python.org/3/*", "https://docs.python.org/3/../2/a", False),
        ("https://docs.python.org/3/*", "https://docs.python.org/3/%2e%2e/2/a", False),
        ("https://docs.python.org/3/*", "https://docs.python.org/3/..%2f2/a", False),
        ("https://docs.python.org/3/*", "https://docs.python.org/3/..%5c2/a", False),
        ("https://docs.python.org/3/*", "https://docs.python.org/./3/a", True),
        ("https://docs.python.org/3/*", "https://docs.python.org/33/a", False),
        ("https://x.example/a", "https://x.example/a?b=1", False),
        ("https://x.example/a*", "https://x.example/a?b=1", True),
        ("docs.python.org", "http://docs.python.org/3", True),
        ("docs.python.org", "https://docs.python.org/3", True),
        ("docs.python.org", "https://sub.docs.python.org/3", False),
        ("*.python.org", "https://docs.python.org/3", True),
        ("*.python.org", "https://evilpython.org/3", False),
        ("*.python.org", "https://python.org/3", False),
        ("https://*/*", "https://any.example/x", True),
        ("http://127.0.0.1:8080/*", "http://127.0.0.1:8080/x", True),
        ("http://127.0.0.1:8080/*", "http://127.0.0.1/x", False),
        ("http://[::1]/*", "http://[::1]/x", True),
        ("http://[::1]/*", "http://[::2]/x", False),
    ],
)
def test_a_url_pattern_is_left_by_no_spelling(pattern: str, url: str, is_covered: bool) -> None:
    parsed = UrlPattern.parse(pattern)
    assert parsed is not None
    assert parsed.covers(url) is is_covered


@pytest.mark.parametrize(
    "pattern",
    ["https://", "ftp://x/*", "https://a@b/*", "https://x/../y", "https://x/%2e%2e/y", "https://x:0/", "https://x:99999/",
     "docs.*.org", "*evil*", "https://x/#y", "https://a b/", "javascript:x"],
)  # fmt: skip
def test_a_url_pattern_that_matches_nothing_is_an_error(pattern: str) -> None:
    with pytest.raises(SettingsError) as caught:
        parse_rule(f"web_fetch({pattern})", TOOLS)
    assert caught.value.code == "policy.rule_never_matches"


def test_a_rule_of_a_server_that_has_not_started_is_taken() -> None:
    rules = RuleSet.parse(allow=["mcp__a__b", "mcp__c__*"], known_tools=TOOLS)
    names = ["mcp__a__b", "mcp__a__bb", "mcp__c__x", "mcp__d__x"]
    assert [rules.decide(name, {}).value for name in names] == ["allow", "none", "allow", "none"]


def test_a_path_rule_is_left_by_no_spelling(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "out").symlink_to("/etc")
    rules = RuleSet.parse(allow=["write_file(src/**)"], root=tmp_path)
    paths = {
        "src/a": "allow",
        "src/new/deep/a": "allow",
        "src/../a": "none",
        "src/./../src/a": "allow",
        "srcx/a": "none",
        "SRC/a": "none",
        "src/out/passwd": "none",
        "src/out/../out/x": "none",
        "/src/a": "none",
        "~/src/a": "none",
        f"{tmp_path}/src/a": "allow",
        f"{tmp_path}-evil/src/a": "none",
    }
    assert {path: rules.decide("write_file", {"path": path}).value for path in paths} == paths
    assert rules.decide("edit_file", {"path": "src/a"}) == "none"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (".env", True), ("a/.env", True), (".ENV", True), (".env.local", True), (".env.example", False),
        (".env*", True), (".e*", True), ("env.py", False), ("environment.md", False), ("~/.ssh/config", True),
        ("id_rsa", True), ("id_rsa.pub", False), ("key.pem", True), ("keys.py", False), (".npmrc", True),
        (".aws/credentials", True), ("credentials.json", True), ("credentials.py", False), ("secrets.yaml", True),
        ("--file=.env", True), ("HEAD:.env", True), ("/proc/self/environ", True), ("/proc/1/environ", True),
        ("/proc/cpuinfo", False), ("README.md", False), ("*.md", False), ("", False), ("@.env", True),
    ],
)  # fmt: skip
def test_names_that_hold_secrets_are_known(name: str, expected: bool) -> None:
    assert is_secret(name) is expected
