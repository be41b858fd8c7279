import re
import tomllib
from pathlib import Path

from paicli.app.config.config_file import KEYS
from paicli.app.config.model_settings import key_variables
from paicli.app.config.web_settings import search_key_variables
from paicli.llm.providers import PROVIDERS

PAGE = (Path(__file__).parents[3] / "docs" / "configuration.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.splitlines()
    if re.match(r"\| `[a-z]+\.", line)
]


def literals(cell: str) -> list[object]:
    return [tomllib.loads(f"x = {found}")["x"] for found in re.findall("`([^`]+)`", cell)]


def test_the_page_has_every_key_once_in_the_order_of_the_code() -> None:
    assert [row[0].strip("`") for row in ROWS] == list(KEYS)


def test_each_value_and_default_that_the_page_names_is_taken() -> None:
    named = [(row[0].strip("`"), value) for row in ROWS for value in (*literals(row[1]), *literals(row[2]))]
    assert len(named) > 40
    assert [(key, value) for key, value in named if not KEYS[key].fits(value)] == []


def test_the_page_names_each_provider_and_each_variable_with_a_key() -> None:
    foreign = {"ANTHROPIC_API_KEY"}  # kept from commands, and no provider's
    variables = key_variables() | search_key_variables()
    assert set(re.findall(r"`([A-Z]+_API_KEY)`", PAGE)) == variables - foreign
    (providers,) = (row[3] for row in ROWS if row[0] == "`model.provider`")
    assert re.findall("`([^`]+)`", providers) == list(PROVIDERS)
