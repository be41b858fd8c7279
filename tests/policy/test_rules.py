from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paicli.core.catalogue.lookup import SCREEN
from paicli.core.errors import SettingsError
from paicli.policy.command_rules import pattern_for
from paicli.policy.rules import RuleDecision, RuleSet
from tests.random_examples import examples

TOOLS = ["read_file", "write_file", "edit_file", "list_dir", "execute_command", "web_fetch", "grep_code", "todo_write"]


def command(rules: RuleSet, text: str) -> str:
    return rules.decide("execute_command", {"command": text}).value


def commands(rules: RuleSet, texts: list[str]) -> dict[str, str]:
    return {text: command(rules, text) for text in texts}


def test_a_granted_prefix_covers_plain_arguments_and_nothing_else() -> None:  # C45
    rules = RuleSet.parse(allow=["execute_command(git status:*)"], known_tools=TOOLS)
    allowed = [
        "git status",
        "git status -s",
        "git  status\t--short -- src",
        "'git' status",
        "git status && git status -s",
    ]
    asked = [
        "git status; id",
        "git status && id",
        "git status | sh",
        "git -c core.pager=id status",
        "git push --force",
        "GIT_DIR=x git status",
        "git status > ~/.bashrc",
        "git status >> x",
        "git status < x",
        "git status $(id)",
        "git status `id`",
        "git status <(id)",
        "git status $X",
        "git status &",
        "git statusx",
        "git stash",
        "git",
        "env git status",
        "git status\nid",
        "git() { id; }; git status",
        "git status 'x",
        "cat <<A; git status\nA",
        "",
        "X=1",
    ]
    assert commands(rules, allowed) == dict.fromkeys(allowed, "allow")
    assert commands(rules, asked) == dict.fromkeys(asked, "none")


def test_a_rule_for_all_of_git_covers_no_options_before_the_verb() -> None:  # C45
    rules = RuleSet.parse(allow=["execute_command(git:*)"])
    texts = [
        "git log",
        "git -c core.pager=id log",
        "git --exec-path=x log",
        "git -C .. log",
        "git --no-pager log",
        "git",
    ]
    assert list(commands(rules, texts).values()) == ["allow", "none", "none", "none", "allow", "allow"]
    named = RuleSet.parse(allow=["execute_command(git -C sub status:*)"])
    assert commands(named, ["git -C sub status -s", "git -C .. status"]) == {
        "git -C sub status -s": "allow",
        "git -C .. status": "none",
    }


def test_an_exact_command_covers_that_command_only() -> None:
    rules = RuleSet.parse(allow=["execute_command(npm run build)", "execute_command(rm -rf ./tmp)"])
    assert commands(rules, ["npm run build", "npm run build -- x", "rm -rf ./tmp", "rm -rf ./other"]) == {
        "npm run build": "allow",
        "npm run build -- x": "none",
        "rm -rf ./tmp": "allow",
        "rm -rf ./other": "none",
    }


def test_each_simple_command_may_be_covered_by_a_rule_of_its_own() -> None:
    rules = RuleSet.parse(allow=["execute_command(git diff:*)", "execute_command(head:*)"])
    texts = ["git diff | head -5", "git diff; head x && git diff", "git diff | tail"]
    assert list(commands(rules, texts).values()) == ["allow", "allow", "none"]


def test_a_granted_wrapper_is_no_grant_for_what_it_wraps() -> None:
    rules = RuleSet.parse(
        allow=[f"execute_command({name}:*)" for name in ("env", "bash", "find", "xargs", "ls", "eval")]
    )
    texts = [
        "env ls",
        "env id",
        "bash -c 'ls -l'",
        "bash -c 'ls; id'",
        "bash -c 'ls > x'",
        'bash -c "$X"',
        "bash x.sh",
        "bash",
        "find . -name x",
        "find . -exec id ;",
        "find . -exec id \\;",
        "find . -exec ls {} +",
        "ls | xargs ls",
        "ls | xargs rm",
        "ls | bash",
        "eval ls",
        "eval id",
    ]
    assert [text for text in texts if command(rules, text) == "allow"] == [
        "env ls",
        "bash -c 'ls -l'",
        "bash x.sh",
        "find . -name x",
        "find . -exec ls {} +",
        "ls | xargs ls",
        "eval ls",
    ]


def test_a_rule_without_pattern_and_the_star_cover_any_text() -> None:
    texts = ["id; rm x > y", "cat <<A; id\nA", "ls 'x"]
    for rule in ("execute_command", "*", "execute_command(*)", "execute_*"):
        assert commands(RuleSet.parse(allow=[rule], known_tools=TOOLS), texts) == dict.fromkeys(texts, "allow")


def test_deny_beats_ask_beats_allow() -> None:
    rules = RuleSet.parse(
        allow=["*"], ask=["execute_command(git:*)", "edit_file"], deny=["execute_command(git push:*)", "web_fetch"]
    )
    calls: list[tuple[str, dict[str, str], RuleDecision]] = [
        ("execute_command", {"command": "git push origin main"}, RuleDecision.DENY),
        ("execute_command", {"command": "git status"}, RuleDecision.ASK),
        ("execute_command", {"command": "ls"}, RuleDecision.ALLOW),
        ("edit_file", {"path": "a"}, RuleDecision.ASK),
        ("web_fetch", {"url": "x"}, RuleDecision.DENY),
        ("read_file", {"path": "a"}, RuleDecision.ALLOW),
    ]
    assert [rules.decide(tool, arguments) for tool, arguments, _ in calls] == [decision for *_, decision in calls]
    assert RuleSet.parse().decide("read_file", {"path": "a"}) is RuleDecision.NONE


def test_a_denied_command_is_found_wherever_it_stands() -> None:
    rules = RuleSet.parse(allow=["*"], deny=["execute_command(git push:*)", "execute_command(npm publish)"])
    denied = [
        "git push",
        "cd x && git push -f",
        "git -c a=b push",
        "git -C sub push origin",
        "/usr/bin/git push",
        "\\git push",
        "env A=1 git push",
        "timeout 5 nohup git push",
        "bash -c 'cd x; git push'",
        "eval 'git push'",
        "echo $(git push)",
        "A=1 git push > log &",
        "f() { git push; }; f",
        "ls | xargs git push",
        "npm publish",
    ]
    assert commands(rules, denied) == dict.fromkeys(denied, "deny")
    maybe = ["git $X", "$X push", "cat <<A; id\nA", 'eval "$X"', "ls | sh", "git 'x"]
    assert commands(rules, maybe) == dict.fromkeys(maybe, "ask")
    free = ["git status", "ls", "echo git push", "npm publish --dry-run", "git pushx", "echo $X", "git commit -m $X"]
    assert commands(rules, free) == dict.fromkeys(free, "allow")


def test_path_rules_match_names_below_the_root(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "secret").mkdir()
    (tmp_path / "src" / "way").symlink_to(tmp_path / "secret")
    rules = RuleSet.parse(
        allow=["read_file(src/**)", "read_file(*.md)", "write_file(out/*/x?.txt)", "read_file(/opt/docs/**)"],
        deny=["read_file(secret/**)", "read_file(.env)"],
        known_tools=TOOLS,
        root=tmp_path,
    )
    paths = {
        "src": "allow",
        "src/a.py": "allow",
        "./src/deep/a.py": "allow",
        f"{tmp_path}/src/a.py": "allow",
        "src/../other/a.py": "none",
        "srcx/a.py": "none",
        "src/way/key": "deny",
        "secret/key": "deny",
        "SECRET/key": "deny",
        "x/../secret": "deny",
        ".env": "deny",
        "deep/.ENV": "deny",
        ".envx": "none",
        "a.md": "allow",
        "docs/a.md": "allow",
        "../a.md": "none",
        "/opt/docs/a": "allow",
        "/opt/docsx": "none",
        "other": "none",
    }
    assert {path: rules.decide("read_file", {"path": path}).value for path in paths} == paths
    written = {"out/a/x1.txt": "allow", "out/x1.txt": "none", "out/a/b/x1.txt": "none", "out/a/x12.txt": "none"}
    assert {path: rules.decide("write_file", {"path": path}).value for path in written} == written


def test_without_a_root_paths_are_compared_as_written() -> None:
    rules = RuleSet.parse(allow=["read_file(src/**)"], deny=["list_dir(.)"])
    assert rules.decide("read_file", {"path": "src/a"}) is RuleDecision.ALLOW
    assert rules.decide("read_file", {"path": "src/../a"}) is RuleDecision.NONE
    assert rules.decide("list_dir", {}) is RuleDecision.DENY
    assert rules.decide("list_dir", {"path": "src/.."}) is RuleDecision.DENY
    assert rules.decide("list_dir", {"path": "src"}) is RuleDecision.NONE


def test_other_tools_match_the_argument_that_counts() -> None:
    rules = RuleSet.parse(allow=["web_fetch(https://docs.example/*)"], known_tools=TOOLS)
    urls = ["https://docs.example/a/b", "https://docs.example.evil/", "http://docs.example/a"]
    assert [rules.decide("web_fetch", {"url": url}).value for url in urls] == ["allow", "none", "none"]


def test_rules_for_servers_that_come_later_are_taken() -> None:
    rules = RuleSet.parse(allow=["mcp__files__*"], known_tools=TOOLS)
    assert rules.decide("mcp__files__read", {}) is RuleDecision.ALLOW
    assert rules.decide("mcp__other__read", {}) is RuleDecision.NONE


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        ("", "policy.rule_syntax"),
        ("execute_command(", "policy.rule_syntax"),
        ("execute_command)x(", "policy.rule_syntax"),
        ("read file", "policy.rule_syntax"),
        ("(x)", "policy.rule_syntax"),
        ("run_shell", "policy.rule_unknown_tool"),
        ("Read_File(src/**)", "policy.rule_unknown_tool"),
        ("execute_command()", "policy.rule_never_matches"),
        ("execute_command( )", "policy.rule_never_matches"),
        ("execute_command(:*)", "policy.rule_never_matches"),
        ("execute_command(git status && rm:*)", "policy.rule_never_matches"),
        ("execute_command(git status; id)", "policy.rule_never_matches"),
        ("execute_command(A=1 git:*)", "policy.rule_never_matches"),
        ("execute_command(git > x)", "policy.rule_never_matches"),
        ("execute_command(git $X:*)", "policy.rule_never_matches"),
        ("execute_command(npm run *)", "policy.rule_never_matches"),
        ("execute_command(git 'x)", "policy.rule_never_matches"),
        ("read_file()", "policy.rule_never_matches"),
        ("read_file(../x)", "policy.rule_never_matches"),
        ("todo_write(x)", "policy.rule_never_matches"),
        ("mcp__a__b(x)", "policy.rule_never_matches"),
        ("*(x)", "policy.rule_never_matches"),
    ],
)
def test_a_rule_that_can_never_match_is_an_error_that_names_it(rule: str, code: str) -> None:
    with pytest.raises(SettingsError) as caught:
        RuleSet.parse(deny=[rule], known_tools=TOOLS)
    assert (caught.value.code, caught.value.fields) == (code, {"rule": rule, "where": ""})
    assert all(rule in text.format_map(caught.value.fields) for text in SCREEN[code])


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("git status -s", "git status:*"),
        ("git push --force", "git push --force"),
        ("npm test", "npm test:*"),
        ("ls -la", "ls:*"),
        ("pytest -q tests", "pytest:*"),
        ("rm -rf ./tmp", "rm -rf ./tmp"),
        ("./run.sh a", "./run.sh a"),
        ("python3 x.py", "python3 x.py"),
        ("git -c a=b status", "git -c a=b status"),
        ("git --version", "git --version"),
        ("git status && rm -rf ./tmp", None),
        ("git status; id", None),
        ("git status | head", None),
        ("git status > x", None),
        ("A=1 ls", None),
        ("ls $X", None),
        ("ls $(id)", None),
        ("rm *.log", None),
        ("env ls", "env ls"),
        ("bash -c ls", None),
        ("find . -exec rm {} +", None),
        ("ls 'x", None),
        ("", None),
    ],
)
def test_always_stores_a_narrow_pattern_or_none(text: str, pattern: str | None) -> None:  # C45
    assert pattern_for(text) == pattern


@examples(150)
@given(
    st.lists(
        st.sampled_from(
            ["git", "rm", "ls", "npm", "status", "-rf", "x", ":*", "(", ")", "&&", "'a b'", "$X", "~", "*", "\\"]
        ),
        min_size=1,
        max_size=5,
    ).map(" ".join)
)
def test_a_stored_pattern_is_a_rule_that_covers_its_command(text: str) -> None:  # C45
    pattern = pattern_for(text)
    if pattern is not None:
        assert command(RuleSet.parse(allow=[f"execute_command({pattern})"]), text) == "allow"
