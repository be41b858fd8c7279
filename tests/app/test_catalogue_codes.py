from paicli.app.options import OPTIONS, SUBCOMMANDS
from paicli.core.catalogue.lookup import SCREEN


def test_every_option_and_command_has_its_help() -> None:
    wanted = {f"cli.help{option.name}" for option in OPTIONS} | {f"cli.help.{name}" for name in SUBCOMMANDS}

    assert wanted <= set(SCREEN)


def test_no_text_of_the_command_line_is_left_over() -> None:
    spoken = {f"cli.help{option.name}" for option in OPTIONS} | {f"cli.help.{name}" for name in SUBCOMMANDS}
    fixed = {"cli.help.head", "cli.help.options", "cli.help.session", "cli.help.print", "cli.help.statuses"}

    assert {code for code in SCREEN if code.startswith("cli.help")} == spoken | fixed
