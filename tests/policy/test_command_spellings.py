from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paicli.policy.command_guard import CommandGuard
from paicli.policy.verdict import VerdictKind
from tests.policy.command_spellings import ORDINARY, REFUSED_SPELLINGS, UNPARSED_SPELLINGS, commands_in
from tests.random_examples import examples

HOME, ROOT = Path("/home/me"), Path("/w/team/proj")
GUARD = CommandGuard(ROOT, HOME, protected=[HOME / ".paicli"])


def judged(commands: list[str]) -> dict[str, tuple[VerdictKind, str]]:
    verdicts = {command: GUARD.check(command) for command in commands}
    return {command: (verdict.kind, verdict.reason) for command, verdict in verdicts.items()}


@pytest.mark.parametrize("code", REFUSED_SPELLINGS)
def test_every_spelling_of_what_can_not_be_meant_is_refused(code: str) -> None:  # C43
    commands = commands_in(REFUSED_SPELLINGS[code])
    assert judged(commands) == dict.fromkeys(commands, (VerdictKind.REFUSED, code))


@pytest.mark.parametrize("code", UNPARSED_SPELLINGS)
def test_what_only_the_running_shell_knows_goes_to_the_review(code: str) -> None:  # C43 R7
    commands = commands_in(UNPARSED_SPELLINGS[code])
    assert judged(commands) == dict.fromkeys(commands, (VerdictKind.UNPARSED, code))


def test_what_developers_type_all_day_is_never_refused() -> None:  # C43
    commands = commands_in(ORDINARY)
    assert judged(commands) == dict.fromkeys(commands, (VerdictKind.ALLOWED, ""))


# What the tree can't read, and what it reads without the command that is in it.

TREE_ERRORS = [
    "cat <<A; id\nx\nA",
    "a <<A && b <<B\n1\nA\n2\nB",
    "exec 3<>file",
    "{M1,a}",
    "for x do id; done",
    "rm @(a|b)",
    "cat <<E\n\\$(id)\nE",
    'cat <<""\nid\n\n',
    "select x in a; do id; done <<< x",
    "rm -rf 'x",
    "cat <<E\nx",
    "rm x &&",
    "if true; then",
]
HIDDEN_FROM_THE_TREE = [
    "cat <<E\n`sudo id`\nE",
    "echo ${x:=`sudo id`}",
    "echo `echo \\`sudo id\\``",
    'echo "`echo \\`sudo id\\``"',
    "echo \"${x:-'$(sudo id)'}\"",
    "r\\\nm -rf /",
    "rm\x0b-rf /",
    "time rm -rf /",
    "time -p rm -rf /",
    "time ! rm -rf /",
    "! ! rm -rf /",
    "coproc rm -rf /",
    "coproc N { rm -rf /; }",
    "time ( rm -rf / )",
    "time { rm -rf /; }",
    "time until rm -rf /; do :; done",
    "time if true; then rm -rf /; fi",
    "! select x in a; do rm -rf /; done",
]
LEFT_TO_QUOTE_REMOVAL = ["'rm' -rf /", '"r"m -rf /', "r\\m -rf /", "$'\\x72m' -rf /", '"rm" -rf /', "2>x rm -rf /"]


@pytest.mark.parametrize("command", TREE_ERRORS)
def test_what_the_tree_can_not_read_is_marked(command: str) -> None:
    assert GUARD.check(command).kind is VerdictKind.UNPARSED


@pytest.mark.parametrize("command", HIDDEN_FROM_THE_TREE)
def test_what_the_tree_does_not_show_never_passes(command: str) -> None:
    assert GUARD.check(command).kind is not VerdictKind.ALLOWED


def test_quote_removal_is_the_guards_own() -> None:
    assert {command: GUARD.check(command).kind for command in LEFT_TO_QUOTE_REMOVAL} == dict.fromkeys(
        LEFT_TO_QUOTE_REMOVAL, VerdictKind.REFUSED
    )


@pytest.mark.parametrize("command", ["echo a;;b", "rm x;;"])
def test_what_bash_rejects_and_the_tree_reads_is_harmless_to_judge(command: str) -> None:
    assert GUARD.check(command).kind in VerdictKind


# Spellings put together: a quoting style for each word, wrappers, a text that carries it, statements around it.

CORES = [
    "rm -rf /", "rm -rf ~", 'rm -rf "$HOME"/*', "sudo id", "dd if=/dev/zero of=/dev/sda", "mkfs.ext4 /dev/sda",
    "chmod -R 777 /", "git push --force origin main", "reboot", "kill -9 -1", "crontab -r", "find / -delete",
    "cp x ~/.bashrc", "chown -R me ~", "shutdown -h now", "tee /dev/sda", "rm -rf .", "sed -i s/a/b/ ~/.zshrc",
]  # fmt: skip
WRAPPERS = [
    "env {}", "env A=1 {}", "env -u X {}", "nohup {}", "nice -n 5 {}", "timeout -s 9 5 {}", "time -p {}", "command {}",
    "exec {}", "setsid {}", "stdbuf -oL {}", "xargs -0 -n1 {}", "busybox {}", "ionice -c3 {}", "uv run {}",
    "poetry run {}", "npm exec -- {}", "flock /tmp/l {}", "builtin command {}", "strace -f {}",
    "script -q /dev/null {}", "gdb --args {}", "git bisect run {}", "coproc {}", "find . -exec {} \\;", "screen -dm {}",
]  # fmt: skip
CARRIERS = [
    "sh -c {}", "bash -lc {}", "bash -euo pipefail -c {}", "eval {}", "ssh h {}", "trap {} EXIT", "watch {}",
    "script -qc {}", "flock /tmp/l -c {}", "find . -exec sh -c {} \\;", "xargs -I% sh -c {}", "git rebase -x {} main",
    "git -c alias.x=!{} x", "tmux new -d {}", "parallel {}", "npx -c {}", "env -S {}", "rsync -e {} a b:",
    "PAGER={} git log", "GIT_SSH_COMMAND={} git fetch", "env GIT_PAGER={} git log", "export PAGER={}; git log",
    "bash <<< {}", "echo {} | sh", "printf %s {} | bash", "git submodule foreach {}", "nodemon --exec {}",
    "tar --to-command={} -xf x", "fish --command={}", "entr -s {}", "git config alias.z !{}",
]  # fmt: skip
STATEMENTS = [
    "( {} )", "{{ {}; }}", "true && {}", "false || {}", "ls; {}", "ls | {}", "{} | cat", "{} &", "echo $( {} )",
    "cat <( {} )", "if {}; then :; fi", "while {}; do :; done", "for i in 1; do {}; done", "f() {{ {}; }}; f",
    "x=$( {} )", "! {}", "A=1; {}", 'echo "$( {} )"', "ls\n{}", "case a in a) {};; esac", "cat <<E\n$( {} )\nE",
    "echo ${{x:-$( {} )}}", "(( $( {} ) ))", "time {}", "{} # x", "a=( $( {} ) )", "cat > >( {} )",
]  # fmt: skip


def single_quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def spelled(word: str, style: int, at: int) -> str:
    """The word in another spelling of the same; words with signs of the shell stay."""
    if len(word) < 2 or not word.isalnum():
        return word
    at = 1 + at % (len(word) - 1)
    ansi = "$'" + "".join(f"\\x{ord(character):02x}" for character in word) + "'"
    forms = [word, f"'{word}'", f'"{word}"', f"{word[:at]}''{word[at:]}", f"{word[:at]}\\{word[at:]}", ansi,
             f"{word[:at]}\\\n{word[at:]}"]  # fmt: skip
    return forms[style % len(forms)]


@st.composite
def dangerous_commands(draw: st.DrawFn) -> str:
    words = draw(st.sampled_from(CORES)).split(" ")
    styles = draw(st.lists(st.integers(0, 20), min_size=len(words), max_size=len(words)))
    command = " ".join(spelled(word, style, style) for word, style in zip(words, styles, strict=True))
    for wrapper in draw(st.lists(st.sampled_from(WRAPPERS), max_size=2)):
        command = wrapper.format(command)
    for around in draw(st.lists(st.sampled_from([*CARRIERS, *STATEMENTS]), max_size=2)):
        command = around.format(single_quoted(command) if around in CARRIERS else command)
    return command


@examples(300)
@given(dangerous_commands())
def test_no_composition_of_spellings_lets_a_dangerous_command_pass(command: str) -> None:  # C43
    assert GUARD.check(command).kind is not VerdictKind.ALLOWED, command


@pytest.mark.parametrize("carrier", CARRIERS)
def test_a_text_that_is_carried_is_read(carrier: str) -> None:
    commands = [carrier.format(single_quoted(core)) for core in CORES]
    passed = [command for command in commands if GUARD.check(command).kind is VerdictKind.ALLOWED]
    assert passed == []


@pytest.mark.parametrize("wrapper", WRAPPERS)
def test_a_command_that_is_wrapped_is_read(wrapper: str) -> None:
    commands = [wrapper.format(core) for core in CORES]
    passed = [command for command in commands if GUARD.check(command).kind is VerdictKind.ALLOWED]
    assert passed == []


@pytest.mark.parametrize(
    "text",
    [
        "$(" * 5_000,
        "echo " + "$(" * 5_000 + ")" * 5_000,
        "f(){ g; };" * 1_500 + "f",
        "f{0}() {{ f; }};" * 1_500,
        "".join(f"f{n}(){{ f{n + 1}; }};" for n in range(1_500)),
        "git -c alias.x=" * 2_000,
        "parallel " * 3_500,
        "PAGER=x " * 3_900 + "ls",
        "sed '" + "s/a/b/;" * 4_000 + "' x",
        "awk '" + 'print | "x";' * 2_600 + "' x",
        "python3 -c '" + 'system("ls");' * 2_400 + "'",
        "rm -rf " + "/*" * 15_000,
        "rm -rf " + "[a-" * 10_000,
        "time " * 6_000,
        "while " * 5_000,
    ],
    ids=lambda text: text[:14],
)
def test_no_long_text_takes_long_or_breaks_the_reading(text: str) -> None:
    assert GUARD.check(text[:32_000]).kind in VerdictKind
