# A code without a text would be seen by a person only when it is too late.
import ast
import re
from pathlib import Path

from paicli.app.config.config_file import KEYS
from paicli.app.options import OPTIONS, SUBCOMMANDS
from paicli.core.catalogue.lookup import MODEL, SCREEN

SRC = Path(__file__).parents[2] / "src" / "paicli"
CODE = re.compile(r"[a-z][a-z_]*(\.[a-z][a-z0-9_]*)+")
PREFIXES = {code.partition(".")[0] for code in (*SCREEN, *MODEL)}


def codes_in(path: Path) -> set[str]:
    """String constants that look like a catalogue code."""
    found = {node.value for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant)}
    texts = {value for value in found if isinstance(value, str) and CODE.fullmatch(value)}
    return {text for text in texts if text.partition(".")[0] in PREFIXES}


def has_text(code: str) -> bool:
    """A code that ends in "_" is the beginning of several, as `cli.help` is."""
    if code.endswith("_") or code == "cli.help":
        return any(known.startswith(code) for known in (*SCREEN, *MODEL))
    return code in SCREEN or code in MODEL


def test_every_code_in_the_source_has_its_text() -> None:
    missing = {
        f"{path.relative_to(SRC)}: {code}"
        for path in SRC.rglob("*.py")
        if "catalogue" not in path.parts
        for code in codes_in(path)
        if code not in KEYS and not has_text(code)
    }

    assert missing == set()


def test_every_option_and_command_has_its_help() -> None:
    wanted = {f"cli.help{option.name}" for option in OPTIONS} | {f"cli.help.{name}" for name in SUBCOMMANDS}

    assert wanted <= set(SCREEN)


def test_both_languages_of_a_text_have_the_same_fields() -> None:
    def fields(text: str) -> set[str]:
        return set(re.findall(r"\{(\w+)\}", text))

    assert {code for code, (zh, en) in SCREEN.items() if fields(zh) != fields(en)} == set()
