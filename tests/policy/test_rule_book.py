import pytest

from paicli.core.errors import SettingsError
from paicli.policy.rule_book import BookedRule, RuleBook
from paicli.policy.rules import RuleDecision

TOOLS = ("execute_command", "read_file", "write_file")
ALLOW, ASK, DENY, NONE = RuleDecision.ALLOW, RuleDecision.ASK, RuleDecision.DENY, RuleDecision.NONE


def decide(book: RuleBook, command: str) -> RuleDecision:
    return book.decide("execute_command", {"command": command})


def test_what_is_added_decides_from_the_next_call_and_deny_beats_allow() -> None:
    book = RuleBook(allow=["read_file"], known_tools=TOOLS)
    assert decide(book, "git diff") is NONE
    assert book.add(ALLOW, "  execute_command(git diff:*) ") == "execute_command(git diff:*)"
    assert decide(book, "git diff --stat") is ALLOW
    book.add(DENY, "execute_command(git diff --cached)")
    assert decide(book, "git diff --cached") is DENY
    assert book.rules == (
        BookedRule(DENY, "execute_command(git diff --cached)", is_added=True),
        BookedRule(ALLOW, "read_file"),
        BookedRule(ALLOW, "execute_command(git diff:*)", is_added=True),
    )


# C45: only what the rule says, word for word; strings for the classifier, nothing is executed
@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("git status -s", ALLOW),
        ("git status; id", NONE),
        ("git status && id", NONE),
        ("git -c core.pager=id status", NONE),
        ("git push --force", NONE),
        ("GIT_DIR=x git status", NONE),
        ("git status > ~/.bashrc", NONE),
    ],
)
def test_a_rule_for_git_status_allows_git_status_alone(command: str, expected: RuleDecision) -> None:
    book = RuleBook(known_tools=TOOLS)
    book.add(ALLOW, "execute_command(git status:*)")
    assert decide(book, command) is expected


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        ("execute_command(git status && rm -rf ./tmp)", "policy.rule_never_matches"),  # C45: a compound makes no rule
        ("execute_command()", "policy.rule_never_matches"),
        ("no_such_tool", "policy.rule_unknown_tool"),
        ("git status", "policy.rule_syntax"),
    ],
)
def test_a_rule_that_can_never_match_changes_nothing(rule: str, code: str) -> None:
    book = RuleBook(allow=["read_file"], known_tools=TOOLS)
    with pytest.raises(SettingsError) as refused:
        book.add(ALLOW, rule)
    assert refused.value.code == code
    assert book.rules == (BookedRule(ALLOW, "read_file"),)


def test_a_rule_is_taken_out_by_its_text_and_added_only_once() -> None:
    book = RuleBook(allow=["write_file"], known_tools=TOOLS)
    book.add(DENY, "write_file")
    book.add(DENY, "write_file")
    assert len(book.rules) == 2
    assert book.remove(" write_file ")
    assert not book.remove("write_file")
    assert book.rules == ()
    assert book.decide("write_file", {"path": "a"}) is NONE
