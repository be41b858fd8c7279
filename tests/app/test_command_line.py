import pytest

from paicli.app.command_line import CommandLine, language_wish, parse_command_line
from paicli.app.help_text import help_text
from paicli.app.options import NOT_YET_COMMANDS, NOT_YET_OPTIONS, OPTIONS, SUBCOMMANDS, Command, OutputFormat
from paicli.core.catalogue.lookup import Language, Texts
from paicli.core.errors import SettingsError
from paicli.ui.rendering.fault_texts import code_text
from paicli.ui.rendering.styled import width


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        ([], CommandLine()),
        (["-p", "hi"], CommandLine(Command.PRINT, "hi")),
        (["--print", "hi"], CommandLine(Command.PRINT, "hi")),
        (["--print=--help me"], CommandLine(Command.PRINT, "--help me")),
        (["-p", "- one\n- two"], CommandLine(Command.PRINT, "- one\n- two")),
        (["-p", "-"], CommandLine(Command.PRINT, "-")),
        (["-p"], CommandLine(Command.PRINT, "-")),
        (["-p", "plan"], CommandLine(Command.PRINT, "plan")),
        (["-p", "--mode", "plan", "do it"], CommandLine(Command.PRINT, "do it", mode="plan")),
        (["-p", "--", "--do it"], CommandLine(Command.PRINT, "--do it")),
        (
            ["-p", "x", "-y", "--output-format=stream-json"],
            CommandLine(Command.PRINT, "x", is_yes=True, output_format=OutputFormat.STREAM_JSON),
        ),
        (["plan", "a goal", "--out", "p.json"], CommandLine(Command.PLAN, "a goal", out="p.json")),
        (["run", "p.json", "--yes"], CommandLine(Command.RUN, "p.json", is_yes=True)),
        (["--lang", "en", "demo"], CommandLine(Command.DEMO, language="en")),
        (["demo", "-y"], CommandLine(Command.DEMO, is_yes=True)),
        (["-m", "a/b/c", "--base-url", "http://h/v1"], CommandLine(model="a/b/c", base_url="http://h/v1")),
        (["--mode", "auto", "--mode", "ask"], CommandLine(mode="ask")),
        (
            ["--allowed-tools", "execute_command(git diff:*, x),read_file", "--allowed-tools", "*"],
            CommandLine(allowed_tools=("execute_command(git diff:*, x)", "read_file", "*")),
        ),
        (["--disallowed-tools", " a , b "], CommandLine(disallowed_tools=("a", "b"))),
        (["--tools", "read_file,grep_code"], CommandLine(tools=("read_file", "grep_code"))),
        (["--add-dir", "a", "--add-dir", "b"], CommandLine(added_folders=("a", "b"))),
        (["-C", "d", "--max-turns", "007"], CommandLine(folder="d", max_turns=7)),
        (["-p", "x", "--verbose"], CommandLine(Command.PRINT, "x", is_verbose=True)),
        (["--append-system-prompt", ""], CommandLine()),
        (["--help", "--nonsense-is-not-reached"][:1], CommandLine(Command.HELP)),
        (["plan", "-h"], CommandLine(Command.HELP)),
        (["--lang=en", "--version"], CommandLine(Command.VERSION, language="en")),
    ],
)
def test_argv_is_understood(argv: list[str], expected: CommandLine) -> None:
    assert parse_command_line(argv) == expected


@pytest.mark.parametrize(
    ("argv", "code", "fields"),
    [
        (["--modl", "x"], "cli.option_unknown_nearest", {"option": "--modl", "nearest": "--model"}),
        (["-p", "--outptu-format", "json"], "cli.option_unknown_nearest", None),
        (["--foo"], "cli.option_unknown", {"option": "--foo"}),
        (["--nonsense"], "cli.option_unknown", {"option": "--nonsense"}),
        (["--no"], "cli.option_unknown", {"option": "--no"}),
        (["--Model", "x"], "cli.option_unknown_nearest", {"option": "--Model", "nearest": "--model"}),
        (["--allowed", "x"], "cli.option_unknown_nearest", {"option": "--allowed", "nearest": "--allowed-tools"}),
        (["--lagn", "en"], "cli.option_unknown_nearest", {"option": "--lagn", "nearest": "--lang"}),
        (["-q"], "cli.option_unknown", {"option": "-q"}),
        (["-pfoo"], "cli.option_unknown", {"option": "-pfoo"}),
        (["demmo"], "cli.command_unknown_nearest", {"command": "demmo", "nearest": "demo"}),
        (["conf"], "cli.command_unknown_nearest", {"command": "conf", "nearest": "config"}),
        (["hello"], "cli.command_unknown", {"command": "hello"}),
        (["what is this"], "cli.command_unknown", {"command": "what is this"}),
        (["--model"], "cli.value_missing", {"option": "--model", "metavar": "[PROVIDER/]MODEL"}),
        (["--model", "--verbose"], "cli.value_missing", None),
        (["-C", ""], "cli.value_missing", {"option": "-C", "metavar": "DIR"}),
        (["--yes=1", "demo"], "cli.value_unwanted", {"option": "--yes"}),
        (
            ["--mode", "fast"],
            "cli.value_not_a_choice",
            {"option": "--mode", "value": "fast", "choices": "auto | plan | ask"},
        ),
        (["--max-turns", "0"], "cli.value_not_a_count", {"option": "--max-turns", "value": "0"}),
        (["--max-turns", "1e3"], "cli.value_not_a_count", None),
        (["--max-turns", "٣"], "cli.value_not_a_count", None),
        (["--max-turns", "9" * 5_000], "cli.value_not_a_count", None),
        (["plan"], "cli.argument_missing", {"command": "plan", "metavar": "GOAL"}),
        (["run", " "], "cli.argument_missing", {"command": "run", "metavar": "FILE"}),
        (["plan", "a", "b"], "cli.argument_extra", {"argument": "b"}),
        (["demo", "x"], "cli.argument_extra", {"argument": "x"}),
        (["-p", "fix", "the"], "cli.argument_extra", {"argument": "the"}),
        (["-y"], "cli.option_misplaced", {"option": "-y", "commands": "-p, run, demo"}),
        (["-p", "x", "--out", "f"], "cli.option_misplaced", {"option": "--out", "commands": "plan, bugreport"}),
        (["demo", "--mode", "ask"], "cli.option_misplaced", None),
        (["--output-format", "json"], "cli.option_misplaced", None),
    ],
)
def test_a_wrong_line_is_one_clear_error(argv: list[str], code: str, fields: dict[str, str] | None) -> None:
    with pytest.raises(SettingsError) as raised:
        parse_command_line(argv)

    assert raised.value.code == code
    if fields is not None:
        assert raised.value.fields == fields
    for language in Language:
        shown = code_text(raised.value.code, {k: str(v) for k, v in raised.value.fields.items()}, Texts(language))
        assert "\n" not in shown.strip()
        assert not shown.startswith("cli.")


@pytest.mark.parametrize("option", NOT_YET_OPTIONS)
def test_options_that_come_later_are_said_to_be_missing(option: str) -> None:
    with pytest.raises(SettingsError) as raised:
        parse_command_line([option, "x"])

    assert (raised.value.code, raised.value.fields) == ("cli.option_not_yet", {"option": option})


@pytest.mark.parametrize("command", sorted(NOT_YET_COMMANDS))
def test_commands_that_come_later_are_said_to_be_missing(command: str) -> None:
    with pytest.raises(SettingsError) as raised:
        parse_command_line([command])

    assert (raised.value.code, raised.value.fields) == ("cli.command_not_yet", {"command": command})


def test_bytes_that_are_no_utf8_become_replacement_characters() -> None:
    assert parse_command_line(["-p", "a\udcffb"]).argument == "a\ufffdb"


@pytest.mark.parametrize(
    ("argv", "wish"),
    [
        (["--lang", "en", "--nonsense"], "en"),
        (["--nonsense", "--lang=zh"], "zh"),
        (["--lang"], ""),
        (["--lang", "fr"], ""),
        ([], ""),
    ],
)
def test_the_language_of_an_error_is_looked_for_in_a_broken_line(argv: list[str], wish: str) -> None:
    assert language_wish(argv) == wish


@pytest.mark.parametrize("language", Language)
def test_help_lists_every_option_and_command_there_is(language: Language) -> None:
    shown = help_text(Texts(language))

    for option in OPTIONS:
        assert any(
            line.strip().startswith((option.name, f"{option.short}, {option.name}")) for line in shown.split("\n")
        )
    for name in SUBCOMMANDS:
        assert f"paicli {name}" in shown
    for option in NOT_YET_OPTIONS:
        assert f"{option} " not in shown


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("columns", [20, 40, 80, 100, 200])
def test_help_is_wrapped_between_words_for_the_terminal_it_stands_on(language: Language, columns: int) -> None:
    whole, shown = help_text(Texts(language)), help_text(Texts(language), columns=columns)

    assert "".join(shown.split()) == "".join(whole.split())
    too_wide = [row for row in shown.split("\n") if width(row) > columns]
    assert [row for row in too_wide if len(row.split()) > 1] == [], "only a single word may be wider than the screen"
    assert bool(too_wide) == (columns < 40)
    assert (shown == whole) == (columns == 200)


def test_what_follows_in_the_help_stands_below_its_column() -> None:
    rows = help_text(Texts(Language.EN), columns=80).split("\n")

    first = next(number for number, row in enumerate(rows) if row.startswith("  -p, --print TEXT"))
    assert rows[first : first + 2] == [
        "  -p, --print TEXT            one turn for TEXT ('/plan x' works); - reads",
        "                              standard input; piped text is added",
    ]
    first = next(number for number, row in enumerate(rows) if row.startswith("  -m, --model"))
    assert rows[first : first + 2] == [
        "  -m, --model [PROVIDER/]MODEL",
        "                              the model to use; replay:FILE answers from a",
    ]


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        (["config"], CommandLine(Command.CONFIG)),
        (["config", "path"], CommandLine(Command.CONFIG, arguments=("path",))),
        (["config", "set", "ui.ascii", "true"], CommandLine(Command.CONFIG, arguments=("set", "ui.ascii", "true"))),
        (["config", "set", "a", "--", "-x"], CommandLine(Command.CONFIG, arguments=("set", "a", "-x"))),
        (["doctor"], CommandLine(Command.DOCTOR)),
        (
            ["doctor", "--offline", "-m", "a/b", "--base-url", "http://h"],
            CommandLine(Command.DOCTOR, is_offline=True, model="a/b", base_url="http://h"),
        ),
    ],
)
def test_configuration_and_doctor_have_words_and_options_of_their_own(argv: list[str], expected: CommandLine) -> None:
    assert parse_command_line(argv) == expected


@pytest.mark.parametrize("argv", [["--offline"], ["config", "-m", "x"], ["doctor", "--yes"]])
def test_their_options_go_nowhere_else(argv: list[str]) -> None:
    with pytest.raises(SettingsError) as raised:
        parse_command_line(argv)

    assert raised.value.code == "cli.option_misplaced"
