"""The text of `--help`, from the same tables that the parser reads."""

from paicli.app.options import OPTIONS, SUBCOMMANDS, Option
from paicli.core.catalogue.lookup import Texts


def help_text(texts: Texts) -> str:
    calls = [("paicli", "session"), ("paicli -p TEXT", "print")]
    calls += [(f"paicli {name} {metavar}".rstrip(), name) for name, (_, metavar) in SUBCOMMANDS.items()]
    options = [(_spelled(option), texts.screen(f"cli.help{option.name}")) for option in OPTIONS]
    return "".join(
        (
            texts.screen("cli.help.head"),
            _rows([(call, texts.screen(f"cli.help.{key}")) for call, key in calls]),
            texts.screen("cli.help.options"),
            _rows(options),
            texts.screen("cli.help.statuses"),
        )
    )


def _spelled(option: Option) -> str:
    lead = f"{option.short}, " if option.short else "    "
    return f"{lead}{option.name} {option.metavar}".rstrip()


def _rows(rows: list[tuple[str, str]]) -> str:
    widest = max(len(left) for left, _ in rows)
    return "".join(f"  {left:<{widest}}  {right}\n" for left, right in rows)
