from pathlib import Path

import pytest

from paicli.app.config.config_file import ConfigFile, read_config
from paicli.app.wiring.rule_keeper import RuleKeeper
from paicli.core.errors import SettingsError, UserFacingError
from paicli.core.events import EventBody, Notice
from paicli.core.ops import ChangeRule, RuleChange, Storing
from paicli.policy.rule_book import RuleBook
from paicli.policy.rules import RuleDecision
from paicli.ui.queries import RuleRow

RULE = "execute_command(git status:*)"
TOOLS = ("execute_command", "read_file", "web_fetch")
ALLOW_SAVED = ChangeRule(RuleChange.ALLOW, RULE, Storing.SAVED)


def book(*, allow: tuple[str, ...] = (), deny: tuple[str, ...] = ()) -> RuleBook:
    return RuleBook(allow=allow, deny=deny, known_tools=TOOLS)


def codes(said: list[EventBody]) -> list[str]:
    return [body.fault.code for body in said if isinstance(body, Notice)]


def test_a_rule_is_said_before_it_is_stored_and_read_back_identically(tmp_path: Path) -> None:  # C45
    path = tmp_path / "config.toml"
    path.write_text("[permissions]\nallow = [\n  'read_file', # always\n]\ndeny = ['web_fetch'] # never\n")
    keeper = RuleKeeper(book(allow=("read_file",), deny=("web_fetch",)), path)
    steps = keeper.change(ALLOW_SAVED)
    first = next(steps)
    assert isinstance(first, Notice)
    assert (first.fault.code, dict(first.fault.fields)["rule"]) == ("session.rule_added", RULE)
    assert RULE not in path.read_text()
    assert codes(list(steps)) == ["session.rule_saved"]
    assert read_config(path).get("permissions.allow") == ["read_file", RULE]
    assert "# always" in path.read_text()
    assert "# never" in path.read_text()
    again = RuleBook(allow=read_config(path).get("permissions.allow"), known_tools=TOOLS)
    assert again.decide("execute_command", {"command": "git status -s"}) is RuleDecision.ALLOW
    assert again.decide("execute_command", {"command": "git status; id"}) is RuleDecision.NONE
    assert keeper.rows() == (
        RuleRow("deny", "web_fetch", "file"),
        RuleRow("allow", "read_file", "file"),
        RuleRow("allow", RULE, "file"),
    )


@pytest.mark.parametrize("broken", ["[permissions\n", "[permissions]\nallow = 3\n", b"\xff\xfe"])
def test_with_a_broken_file_the_rule_holds_for_the_session(tmp_path: Path, broken: str | bytes) -> None:  # C75
    path = tmp_path / "config.toml"
    raw = broken.encode() if isinstance(broken, str) else broken
    path.write_bytes(raw)
    rules = book()
    said = codes(list(RuleKeeper(rules, path).change(ALLOW_SAVED)))
    assert said[0] == "session.rule_added"
    assert said[1].startswith("settings.config_")
    assert said[2] == "session.rule_not_saved"
    assert rules.decide("execute_command", {"command": "git status"}) is RuleDecision.ALLOW
    assert path.read_bytes() == raw


def test_a_rule_that_can_never_match_is_neither_kept_nor_stored(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    rules = book()
    with pytest.raises(SettingsError):
        list(RuleKeeper(rules, path).change(ALLOW_SAVED._replace(rule="execute_command(a && b)")))
    assert rules.rules == ()
    assert not path.exists()


def test_a_rule_is_taken_out_of_the_session_and_where_that_is_said_out_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    text = f"[permissions]\nallow = ['{RULE}', 'read_file']\n"
    path.write_text(text)
    rules = book(allow=(RULE, "read_file"))
    keeper = RuleKeeper(rules, path)
    assert codes(list(keeper.change(ChangeRule(RuleChange.REMOVE, RULE)))) == ["session.rule_removed"]
    assert path.read_text() == text
    assert [rule.text for rule in rules.rules] == ["read_file"]
    said = codes(list(keeper.change(ChangeRule(RuleChange.REMOVE, "read_file", Storing.SAVED))))
    assert said == ["session.rule_removed", "session.rule_taken_out"]
    assert read_config(path).get("permissions.allow") == [RULE]
    with pytest.raises(UserFacingError) as refused:
        list(keeper.change(ChangeRule(RuleChange.REMOVE, "read_file")))
    assert refused.value.code == "session.rule_unknown"


def test_rules_of_options_and_of_the_session_are_told_apart(tmp_path: Path) -> None:
    keeper = RuleKeeper(book(allow=("read_file",)), tmp_path / "config.toml")
    list(keeper.change(ChangeRule(RuleChange.DENY, "web_fetch")))
    assert keeper.rows() == (RuleRow("deny", "web_fetch", "session"), RuleRow("allow", "read_file", "option"))


def test_what_was_allowed_in_an_approval_is_listed_and_can_be_taken_back(tmp_path: Path) -> None:
    rules = book()
    rules.grants.add_rule("execute_command(make:*)")
    keeper = RuleKeeper(rules, tmp_path / "config.toml")
    assert keeper.rows() == (RuleRow("allow", "execute_command(make:*)", "session"),)
    assert codes(list(keeper.change(ChangeRule(RuleChange.REMOVE, "execute_command(make:*)")))) == [
        "session.rule_removed"
    ]
    assert keeper.rows() == ()


def test_rules_of_a_trusted_folder_are_told_apart_and_asking_rules_are_kept(tmp_path: Path) -> None:
    brought = ConfigFile(tmp_path / ".paicli" / "config.toml", {"permissions.allow": ["read_file"]})
    path = tmp_path / "config.toml"
    keeper = RuleKeeper(book(allow=("read_file",)), path, brought=(brought,))
    list(keeper.change(ChangeRule(RuleChange.ASK, "web_fetch", Storing.SAVED)))
    assert keeper.rows() == (RuleRow("ask", "web_fetch", "file"), RuleRow("allow", "read_file", "project"))
    assert dict(read_config(path).values) == {"permissions.ask": ["web_fetch"]}
