from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paicli.core.catalogue.lookup import SCREEN, model_text
from paicli.policy.command_guard import CommandGuard, CommandVerdict
from paicli.policy.verdict import VerdictKind
from tests.policy.command_tables import ALLOWED, REFUSED, UNPARSED
from tests.random_examples import examples

HOME, ROOT = Path("/home/me"), Path("/w/team/proj")
GUARD = CommandGuard(ROOT, HOME, protected=[HOME / ".paicli"])

ALL_REFUSED = [(code, command) for code, commands in REFUSED.items() for command in commands]
ALL_UNPARSED = [(code, command) for code, commands in UNPARSED.items() for command in commands]


@pytest.mark.parametrize(("code", "command"), ALL_REFUSED)
def test_what_can_not_be_meant_is_refused(code: str, command: str) -> None:  # C43
    verdict = GUARD.check(command)
    assert (verdict.kind, verdict.reason) == (VerdictKind.REFUSED, code)
    assert verdict.matched


@pytest.mark.parametrize(("code", "command"), ALL_UNPARSED)
def test_what_only_running_would_tell_is_marked(code: str, command: str) -> None:  # C43 R7
    verdict = GUARD.check(command)
    assert (verdict.kind, verdict.reason) == (VerdictKind.UNPARSED, code)
    assert verdict.matched


@pytest.mark.parametrize("command", ALLOWED)
def test_everyday_commands_pass(command: str) -> None:  # C43
    assert GUARD.check(command) == CommandVerdict(VerdictKind.ALLOWED)


def test_a_refusal_names_the_matched_part() -> None:  # C43
    assert GUARD.check("ls; cd /\nrm -rf * && echo done") == CommandVerdict(
        VerdictKind.REFUSED, "policy.command_delete", "rm -rf *"
    )


def test_the_matched_part_is_short_and_clean() -> None:
    matched = GUARD.check("sudo " + "界" * 500).matched
    assert (len(matched), matched[:6], matched[-1]) == (200, "sudo 界", "…")
    assert GUARD.check("echo \ud800").matched == "echo \ufffd"


def test_a_refusal_wins_over_a_doubt_that_comes_before_it() -> None:
    assert GUARD.check("$x; sudo ls").reason == "policy.command_privilege"


def test_every_code_has_its_texts() -> None:
    for code in [*REFUSED, *UNPARSED]:
        assert "rm x" in model_text(code, matched="rm x")
        assert all("rm x" in text.format_map({"matched": "rm x"}) for text in SCREEN[code])


def test_protected_branches_are_a_setting() -> None:
    guard = CommandGuard(ROOT, HOME, protected_branches=["Live", "v*"])
    commands = ["git push -f origin live", "git push -f origin v2", "git push -f origin main"]
    assert [guard.check(command).kind for command in commands] == ["refused", "refused", "allowed"]


def test_a_root_that_is_the_home_folder_is_never_deleted() -> None:
    guard = CommandGuard(HOME, HOME)
    commands = ["rm -rf .", "rm -rf *", "rm -rf build", "echo x > .bashrc", "rm -rf /home/me/.cache"]
    assert [guard.check(command).kind for command in commands] == [
        "refused",
        "refused",
        "allowed",
        "refused",
        "allowed",
    ]


def test_a_root_below_the_temporary_folder_is_the_project() -> None:
    guard = CommandGuard(Path("/tmp/job/proj"), HOME)
    commands = ["rm -rf .", "rm -rf /tmp/job", "rm -rf /tmp/job/proj/x", "rm -rf /tmp/other", "rm -rf /tmp/job/*"]
    assert [guard.check(command).kind for command in commands] == [
        "refused",
        "refused",
        "allowed",
        "allowed",
        "refused",
    ]


def test_a_root_reached_through_a_link_is_known_under_both_names(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.mkdir()
    (tmp_path / "link").symlink_to(real)
    guard = CommandGuard(tmp_path / "link", HOME)
    commands = [f"rm -rf {real}", f"rm -rf {tmp_path}/link", "rm -rf ."]
    assert [guard.check(command).kind for command in commands] == ["refused"] * 3


# Wrappers that change nothing about what runs: before one command, once at its start, and around any statement.
BEFORE = [
    "env {}", "env A=1 {}", "nohup {}", "nice {}", "nice -n 5 {}", "timeout 5 {}", "time {}", "command {}", "exec {}",
    "setsid {}", "stdbuf -oL {}", "xargs {}",
]  # fmt: skip
AT_START = ["{}", "! {}", "A=1 {}", "2>/dev/null {}", "echo ` {} `"]
AROUND = [
    "( {} )", "{{ {}; }}", "true && {}", "false || {}", "ls; {}", "ls | {}", "{} | cat", "{} &", "echo $( {} )",
    "cat <( {} )", "if {}; then :; fi", "while {}; do :; done", "for i in 1; do {}; done", "f() {{ {}; }}; f",
    "x=$( {} )", "{} # comment",
]  # fmt: skip
ONE_COMMAND = [
    "rm -rf /",
    "rm -rf ~",
    'rm -rf "$HOME"/*',
    "sudo id",
    "dd if=/dev/zero of=/dev/sda",
    "mkfs.ext4 /dev/sda",
    "chmod -R 777 /",
    "git push --force origin main",
    "reboot",
    "kill -9 -1",
    "crontab -r",
    "bash -c 'rm -rf /'",
    "find / -delete",
    "cp x ~/.bashrc",
]


@examples(150)
@given(
    st.sampled_from(ONE_COMMAND),
    st.lists(st.sampled_from(BEFORE), max_size=3),
    st.sampled_from(AT_START),
    st.lists(st.sampled_from(AROUND), max_size=3),
)
def test_a_refused_command_stays_refused_in_every_wrapper(
    command: str, before: list[str], at_start: str, around: list[str]
) -> None:
    for wrapper in (*before, at_start, *around):
        command = wrapper.format(command)
    assert GUARD.check(command).kind is not VerdictKind.ALLOWED, command


@pytest.mark.parametrize("wrapper", BEFORE + AT_START + AROUND)
def test_one_wrapper_alone_hides_nothing(wrapper: str) -> None:
    verdicts = {command: GUARD.check(wrapper.format(command)).kind for command in ONE_COMMAND}
    assert verdicts == dict.fromkeys(ONE_COMMAND, VerdictKind.REFUSED)


@examples(100)
@given(st.sampled_from(ONE_COMMAND), st.sampled_from(["sh -c {}", "bash -lc {}", "eval {}", "env bash -c {}"]))
def test_a_refused_command_stays_refused_as_quoted_code(command: str, shell: str) -> None:
    quoted = "'" + command.replace("'", "'\\''") + "'"
    assert GUARD.check(shell.format(quoted)).kind is VerdictKind.REFUSED


SHELL_PIECES = st.sampled_from(
    ["rm", " -rf", " /", " ~", "$(", ")", "`", "'", '"', "\\", "\n", "|", "&&", ";", "<<E", "E", "{", "}", ",", "$x",
     "${", "<(", ">", "<<<", " x", "if ", "then ", "fi", "[[", "]]", "((", "))", "*", "$'", "!", "=", "a=",
     "sh -c ", "eval ", "#", "..", "\\\n", "for i in ", "do ", "done", "xargs ", "find . ", "-exec ",
     "{}", "cd ", "case x in ", "esac", "中"]
)  # fmt: skip


@examples(300)
@given(st.lists(SHELL_PIECES, max_size=25).map("".join))
def test_no_mixture_of_shell_signs_breaks_the_guard(text: str) -> None:
    assert GUARD.check(text).kind in VerdictKind


@examples(150)
@given(st.text(max_size=200))
def test_no_text_at_all_breaks_the_guard(text: str) -> None:
    assert GUARD.check(text).kind in VerdictKind


@pytest.mark.parametrize(
    "text",
    [
        "$(" * 10_000,
        "(" * 30_000,
        "`" * 30_000,
        "{" * 31_000,
        "{a,b}" * 6_000,
        "echo " + "{1..1}" * 5_000,
        "echo " + "{a,{b," * 5_000,
        "true && " * 3_900 + "ls",
        "ls | " * 6_000 + "ls",
        "ls;" * 10_000,
        "$x" * 16_000,
        "a=1;" * 8_000,
        "a=x;echo " + "$a" * 15_000,
        "eval " * 6_000,
        "env " * 8_000,
        "sh -c 'sh -c " * 2_000,
        "echo x | sh;" * 2_600,
        "curl x | sh |" * 2_400 + "ls",
        "f(){ f|f& };" * 2_600,
        "cat <<E\nx\nE\n" * 2_600,
        "'" * 31_999,
        "\\\n" * 16_000,
        'echo "' + '$(echo "' * 3_000,
        "x" * 31_990,
    ],
    ids=lambda text: text[:12],
)
def test_long_texts_take_a_bounded_time(text: str) -> None:
    assert GUARD.check(text).kind in VerdictKind
