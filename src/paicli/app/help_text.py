"""The text of `--help`, from the same tables that the parser reads."""

from paicli.app.options import OPTIONS, SUBCOMMANDS, Option
from paicli.core.catalogue.lookup import Texts

_LEFT_SHARE = 3
"""In a terminal the left column takes no more than one part in three: what is longer stands in a line of its own."""


def help_text(texts: Texts, *, columns: int = 0) -> str:
    """Wrapped for a terminal of so many columns; 0: each line whole."""
    calls = [("paicli", "session"), ("paicli -p TEXT", "print")]
    calls += [(f"paicli {name} {metavar}".rstrip(), name) for name, (_, metavar) in SUBCOMMANDS.items()]
    options = [(_spelled(option), texts.screen(f"cli.help{option.name}")) for option in OPTIONS]
    blocks = (
        (texts.screen("cli.help.head"), 0),
        _rows([(call, texts.screen(f"cli.help.{key}")) for call, key in calls], columns),
        (texts.screen("cli.help.options"), 0),
        _rows(options, columns),
        (texts.screen("cli.help.statuses"), 0),
    )
    return "".join(_wrapped(text, columns, hang=hang) if columns else text for text, hang in blocks)


def _spelled(option: Option) -> str:
    lead = f"{option.short}, " if option.short else "    "
    return f"{lead}{option.name} {option.metavar}".rstrip()


def _rows(rows: list[tuple[str, str]], columns: int) -> tuple[str, int]:
    """The lines, and where their right column begins."""
    lengths = [len(left) for left, _ in rows]
    widest = max(length for length in lengths if not columns or length <= max(columns // _LEFT_SHARE, min(lengths)))
    hang = min(widest + 4, columns // 2) if columns else widest + 4
    gap = "\n" + " " * hang
    lines = (f"  {left:<{widest}}{'  ' if len(left) <= widest else gap}{right}\n" for left, right in rows)
    return "".join(lines), hang


def _wrapped(text: str, columns: int, *, hang: int) -> str:
    from paicli.ui.rendering.styled import Line, Span, flowed  # start-up: 20 ms, and what is piped is not wrapped

    lines = (Line((Span(line),), hang) for line in text.split("\n"))
    return "\n".join(row.text for line in lines for row in flowed(line, columns))
