"""Keeps a conversation small: what is larger than 32,000 characters goes to a file, head and tail stay."""

from paicli.core.catalogue.lookup import model_text
from paicli.core.errors import reason_of
from paicli.tools.results import ResultStore

LIMIT = 32_000
HEAD, TAIL = 2_000, 800
"""Characters."""


def bound_result(content: str, name: str, results: ResultStore) -> str:
    """`content` as it is up to 32,000 characters; else its head and tail, its size, and where to read the rest."""
    if len(content) <= LIMIT:
        return content
    try:
        path = str(results.save(name, content))
    except OSError as error:
        return model_text(
            "result.cut", head=content[:HEAD], tail=content[-TAIL:], size=len(content), reason=reason_of(error)
        )
    lines = content.count("\n") + 1
    return model_text(
        "result.stored", head=content[:HEAD], tail=content[-TAIL:], size=len(content), lines=lines, path=path
    )
