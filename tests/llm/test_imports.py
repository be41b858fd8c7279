import subprocess
import sys

from tests.patience import PATIENCE_S

HEAVY = ("httpx", "pydantic", "rich", "click", "pygments", "prompt_toolkit", "networkx", "asyncio")


def loaded_after(statement: str) -> set[str]:
    """Which of the heavy libraries a fresh interpreter holds after `statement`."""
    code = f"{statement}\nimport sys\nprint(*(name for name in {HEAVY!r} if name in sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE_S, check=True)
    return set(run.stdout.split())


def test_the_provider_table_loads_no_http_library() -> None:
    assert loaded_after("import paicli.llm.providers, paicli.llm.recorded.client, paicli.llm.retry") == set()


def test_building_a_client_loads_httpx_and_none_of_its_command_line() -> None:
    statement = (
        "from paicli.llm.factory import build_client\n"
        "from paicli.llm.providers import PROVIDERS\n"
        "build_client(PROVIDERS['llamacpp']).close()"
    )
    assert loaded_after(statement) <= {"httpx", "pydantic", "asyncio"}
