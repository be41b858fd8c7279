from concurrent.futures import ThreadPoolExecutor

import pytest

from paicli.policy.shell.script import Assignment, Redirect, parse
from paicli.policy.shell.source import Unparsable
from paicli.policy.shell.words import HOME, UNKNOWN, WORKING_FOLDER, Word


def calls(text: str) -> list[list[str]]:
    return [[word.text for word in command.words] for command in parse(text).commands]


def words(text: str) -> list[str]:
    return calls(f"x {text}")[0][1:]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a | b |& c", ["a", "b", "c"]),
        ("a && b || c; d & e\nf", ["a", "b", "c", "d", "e", "f"]),
        ("a\r\nb\r\n", ["a", "b"]),
        ("(a; b) | c", ["a", "b", "c"]),
        ("{ a; b; }", ["a", "b"]),
        ("f() { a; }; f", ["a", "f"]),
        ("function f { a; }", ["a"]),
        ("f() (a)", ["a"]),
        ("if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]),
        ("for x in 1 2; do a; done", ["a"]),
        ("for ((i=0; i<3; i++)); do a; done", ["", "a"]),
        ("while a; do b; done; until c; do d; done", ["a", "b", "c", "d"]),
        ("case x in y) a;; z) b;; esac", ["a", "b"]),
        ("select x in 1; do a; done", ["a"]),
        ("! a", ["a"]),
        ("[[ -f x ]] && a", ["[[", "a"]),
        ("a $(b)", ["a", "b"]),
        ("a `b`", ["a", "b"]),
        ('a "x $(b "$(c)") y"', ["a", "b", "c"]),
        ("a <(b) >(c)", ["a", "c", "b"]),
        ("a ${x:-$(b)}", ["a", "b"]),
        ("a $((1+$(b)))", ["a", "b"]),
        ("x=$(a)", ["", "a"]),
        ("x=(1 $(a))", ["", "a"]),
        ("x[$(a)]=1", ["", "a"]),
        ("(( x = $(a) ))", ["a"]),
        ("export X=$(a)", ["export", "a"]),
        ("a > $(b)", ["a", "b"]),
        ("a <<< $(b)", ["a", "b"]),
        ("a <<E\n$(b) x\nE\nc", ["a", "b", "c"]),
        ("a <<'E'\n$(b) `c`\nE\nd", ["a", "d"]),
        ("a <<E | b\nx\nE", ["a", "b"]),
        ("a <<-E\n\tx\n\tE\nb", ["a", "b"]),
        ("a # b\nc", ["a", "c"]),
        ("# a", []),
        ("", []),
        # where the tree alone would be wrong
        ("r\\\nm x", ["rm"]),
        ("a \\\n b", ["a"]),
        ("a > f b", ["a"]),
        ("> f a b", ["a"]),
        ("> f", [""]),
        ("a && b > f", ["a", "b"]),
        ("python3 - <<'E'\nx\nE", ["python3"]),
        ("a <<E && b\nx\nE", ["a", "b"]),
    ],
)
def test_every_simple_command_counts(text: str, expected: list[str]) -> None:  # R7
    assert [command.name for command in parse(text).commands] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a {\U0010ffff", [["a", "{\U0010ffff"]]),
        ("a {\U000f0000}", [["a", "{\U000f0000}"]]),
        ("a {1\U000f0000 b", [["a", "{1\U000f0000", "b"]]),
        ("a {1..\U000f0000} {1..9\U000f0000}", [["a", UNKNOWN, UNKNOWN]]),
        ("a {中文} {é} {ł}", [["a", "{中文}", "{é}", "{ł}"]]),
        ("a \\\n{😀 '{中' \"{中$(b {中})\"", [["a", "{😀", "{中", f"{{中{UNKNOWN}"], ["b", "{中}"]]),
        ("a <<E\n{中 $(b {\U0010ffff)\nE", [["a"], ["b", "{\U0010ffff"]]),
    ],
)
def test_no_sign_behind_a_brace_crashes_the_scanner(text: str, expected: list[list[str]]) -> None:
    assert calls(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        # syntax errors of the tree, though bash runs some of them
        "cat <<A; M1\nx\nA",
        "a <<A && b <<B\n1\nA\n2\nB",
        "a 3<>file",
        "{M1,a}",
        "for x do M1; done",
        "cat <<E\n\\$(M1)\nE",
        'cat <<""\nx\n',
        "select x in 1; do M1; done <<< x",
        "a 'x",
        'a "x',
        "a <<E\nx",
        "a &&",
        "if true; then",
        "a )",
        # commands the tree misses
        "cat <<E\n`M1`\nE",
        "cat <<E\nx $y `M1`\nE",
        "cat <<E\n`M1` $y\nE",
        "a ${x:=`M1`}",
        "a `b \\`M1\\``",
        "a \"${x:-'$(M1)'}\"",
        "rm\x0bx",
        "a\x00b",
        "a\x1b",
        "a\x7f",
        "a\u0085b",
        "a \ud800",
        "cat <<中\n-\necho '\n中\nM1\necho '",
        "cat <<{中\n{文\necho '\n{中\nM1\necho '",
        "cat <<'{\U0010ffff'\n{××\necho '\n{\U0010ffff\nM1\necho '",
        "a " + "$(" * 100 + "b" + ")" * 100,
        "x" * 32_001,
    ],
)
def test_what_bash_may_read_differently_is_unparsable(text: str) -> None:
    try:
        found = [command.name for command in parse(text).commands]
    except Unparsable:
        return
    assert "M1" in found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("'a b' \"c d\" e\\ f", ["a b", "c d", "e f"]),
        ("a'b'\"c\"d\\e", ["abcde"]),
        ("$'a\\tb\\x41\\101\\u4e2d' $'a\\'b\\\\c' $'\\q'", ["a\tbAA中", "a'b\\c", "\\q"]),
        ("$'\\e' $'\\cA' $'\\xff' $'\\x01'", [UNKNOWN] * 4),
        ('$"a"', ["a"]),
        ("'' \"\"", ["", ""]),
        ('"a\\$b\\`c\\"d\\\\e\\f\\\ng"', ['a$b`c"d\\e\\fg']),
        ("a\\\nb", ["ab"]),
        ('$x "$x" a${x}b', [UNKNOWN, UNKNOWN, f"a{UNKNOWN}b"]),
        ('" $x " " a"', [f" {UNKNOWN} ", " a"]),
        ("$ a$ '$x' \\$x \"\\$x\"", ["$", "a$", "$x", "$x", "$x"]),
        ("~ ~/a '~' \\~ a~ \"~/b\"", [HOME, f"{HOME}/a", "~", "~", "a~", "~/b"]),
        ("~+ ~- ~bob/x", [WORKING_FOLDER, UNKNOWN, f"{HOME}/../bob/x"]),
        ('$HOME ${HOME}/a "$HOME"', [HOME, f"{HOME}/a", HOME]),
        ("$PWD $(pwd)/a `pwd`", [WORKING_FOLDER, f"{WORKING_FOLDER}/a", WORKING_FOLDER]),
        ("$(mktemp -d)", [f"/tmp/{UNKNOWN}"]),
        ("a{b,c}d", ["abd", "acd"]),
        ("{a,b}{1..2}", ["a1", "a2", "b1", "b2"]),
        ("{a,{b,c}}", ["a", "b", "a", "c"]),
        ("{a} '{a,b}' \"{a,b}\" {a,b", ["{a}", "{a,b}", "{a,b}", "{a,b"]),
        ("{1..1000}", [UNKNOWN]),
        ("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}", [UNKNOWN]),
        ("<(b) $((1+1))", [UNKNOWN, UNKNOWN]),
    ],
)
def test_words_are_what_the_command_gets(text: str, expected: list[str]) -> None:
    assert words(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("X=a; x $X", [["a"]]),
        ("X='a b'; x $X", [["a", "b"]]),
        ("X='a b'; x \"$X\"", [["a b"]]),
        ("X=a; X=b; x $X", [["a", "b"]]),
        ("for i in a b; do x $i; done", [["a", "b"]]),
        ("x $X; X=a", [[UNKNOWN]]),
        ("X=a; read X; x $X", [["X"], [UNKNOWN]]),
        ("X=a; X+=b; x $X", [[UNKNOWN]]),
        ("X=$Y; x $X", [[UNKNOWN]]),
        ("X=$Y/a; x $X", [[f"{UNKNOWN}/a"]]),
        ("for i in *.c; do x $i; done", [[UNKNOWN]]),
        ("export X=a; x $X", [["X=a"], ["a"]]),
    ],
)
def test_a_variable_holds_what_the_text_gives_it(text: str, expected: list[list[str]]) -> None:
    assert [call[1:] for call in calls(text) if call] == expected


def test_a_command_has_its_assignments_redirections_and_plain_words() -> None:
    command = parse("A=1 B=$x run 'a' $y *.c >out 2>>err <in 2>&1").commands[0]
    assert command.words == [
        Word("run"),
        Word("a"),
        Word(UNKNOWN, is_plain=False),
        Word("*.c", has_glob=True),
    ]
    assert command.assignments == [Assignment("A", Word("1")), Assignment("B", Word(UNKNOWN, is_plain=False))]
    assert command.redirects == [
        Redirect(">", Word("out")),
        Redirect(">>", Word("err")),
        Redirect("<", Word("in")),
        Redirect(">&", Word("1")),
    ]
    assert (command.pipe, command.scope, command.in_background) == (None, (), False)


def test_a_pipe_names_the_commands_it_reads_from() -> None:
    assert [command.pipe for command in parse("a | (b; c) | d && e").commands] == [None, [0], [0], [1, 2], None]
    assert [command.pipe for command in parse("a | tee >(b) | c").commands] == [None, [0], [1], [1, 2]]


def test_a_substitution_names_the_commands_inside() -> None:
    assert [word.feeds for word in parse('x "$(a | b)" <(c) d').commands[0].words] == [(), ([2, 3],), ([1],), ()]


def test_a_group_hands_its_input_to_the_commands_inside() -> None:
    script = parse("while a; do b; done <<< text")
    assert [command.redirects for command in script.commands] == [[Redirect("<<<", Word("text"))]] * 3


def test_scopes_tell_subshells_apart() -> None:
    assert [command.scope for command in parse("a; (b; (c)); d; e | f").commands] == [(), (1,), (1, 2), (), (3,), (4,)]


def test_background_and_functions_are_known() -> None:
    script = parse("f() { a; }; b & c && d &")
    assert {name: command.in_background for name, command in zip("abcd", script.commands, strict=True)} == {
        "a": False,
        "b": True,
        "c": True,
        "d": True,
    }
    assert script.functions == {"f": script.commands[0].scope}


def test_texts_can_be_parsed_by_several_threads_at_once() -> None:
    texts = [f"run{number} | tee $(where {number}) && done{number}" for number in range(200)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(calls, texts)) == [calls(text) for text in texts]
