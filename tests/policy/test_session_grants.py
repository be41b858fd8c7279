from paicli.policy.rule_book import BookedRule, RuleBook
from paicli.policy.rules import RuleDecision
from paicli.policy.session_grants import SessionGrants

COMPOUND = "git status && rm -rf ./tmp"


def allows(grants: SessionGrants, command: str, *, is_doubtful: bool = False) -> bool:
    key = f"execute_command {command}"
    return grants.allow("execute_command", {"command": command}, exact_key=key, is_doubtful=is_doubtful)


def test_a_rule_allows_what_it_says_and_nothing_that_is_doubtful() -> None:  # C45
    grants = SessionGrants()
    grants.add_rule("execute_command(git status:*)")
    assert allows(grants, "git status -s")
    assert not allows(grants, "git status; id")
    assert not allows(grants, "git status -s", is_doubtful=True)
    assert not grants.allow("write_file", {"path": "a"}, exact_key="write_file {}")


def test_one_call_stands_for_itself_alone_doubtful_or_not() -> None:  # C45
    grants = SessionGrants()
    grants.add_call(f"execute_command {COMPOUND}", f"execute_command({COMPOUND})")
    assert allows(grants, COMPOUND, is_doubtful=True)
    assert not allows(grants, "git status")
    assert not allows(grants, "rm -rf ./tmp")


def test_grants_are_listed_once_each_on_one_line_and_taken_back() -> None:
    grants = SessionGrants()
    grants.add_rule("write_file")
    grants.add_rule("write_file")
    grants.add_call("execute_command a\n  b", "execute_command(a\n  b)")
    assert grants.texts == ("write_file", "execute_command(a b)")
    assert not grants.remove("edit_file")
    assert grants.remove(" execute_command(a b) ")
    assert grants.remove("write_file")
    assert grants.texts == ()
    assert not allows(grants, "a\n  b")


def test_the_rule_book_lists_grants_last_and_takes_them_back() -> None:
    book = RuleBook(allow=["read_file"])
    book.grants.add_rule("write_file")
    book.grants.add_rule("read_file")
    assert book.rules == (
        BookedRule(RuleDecision.ALLOW, "read_file"),
        BookedRule(RuleDecision.ALLOW, "write_file", is_added=True),
    )
    assert book.remove("read_file")
    assert book.remove("write_file")
    assert not book.remove("write_file")
    assert (book.rules, book.grants.texts) == ((), ())
