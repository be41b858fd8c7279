"""The search without ripgrep: the walk finds the files here, a killable child process looks into them."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from paicli.core.errors import ToolFailed
from paicli.core.messages import ErrorKind
from paicli.policy.path_guard import PathGuard
from paicli.system.captured import Captured, run_captured
from paicli.system.folders import FileKind
from paicli.tools.search import worker
from paicli.tools.search.globs import GlobPattern
from paicli.tools.search.ignore import rules_at
from paicli.tools.search.query import (
    AFTER_MATCH,
    BEFORE_MATCH,
    MAX_SHOWN_CHARACTERS,
    Found,
    Hit,
    Query,
    Scope,
    first_results,
)
from paicli.tools.search.walk import SearchTime, Walk

_MAX_OUTPUT_BYTES = 32_000_000


def search_files(query: Query, scope: Scope, glob: GlobPattern | None, *, paths: PathGuard, time: SearchTime) -> Found:
    """Raises ToolFailed for a pattern that is none, TurnCancelled."""
    walk = Walk(scope.base, rules=rules_at(scope.base, scope.parts).rules, paths=paths, time=time)
    names = ["/".join(scope.parts)] if scope.is_file else sorted(_names(walk, scope, glob))
    captured = _search(query, scope.base, names, time=time)
    hits = [Hit(names[index], *row) for index, rows in _answers(captured.output, query) for row in rows]
    kept, is_cut = first_results(hits, query)
    return Found(kept, is_cut or captured.is_cut, walk.timed_out or captured.timed_out)


def _names(walk: Walk, scope: Scope, glob: GlobPattern | None) -> Iterator[str]:
    for place in walk.below(scope.parts):
        name = "/".join(place.parts[len(scope.parts) :])
        if place.kind is FileKind.FILE and (glob is None or glob.matches(name)):
            yield "/".join(place.parts)


def _search(query: Query, base: Path, names: list[str], *, time: SearchTime) -> Captured:
    header = {
        "base": str(base),
        "pattern": query.pattern,
        "is_literal": query.is_literal,
        "ignore_case": query.ignore_case,
        "context": query.context,
        "files_only": query.files_only,
        "max_results": query.max_results,
        "max_shown": MAX_SHOWN_CHARACTERS,
        "before": BEFORE_MATCH,
        "after": AFTER_MATCH,
    }
    feed = json.dumps(header).encode() + b"\n" + b"".join(os.fsencode(name) + b"\0" for name in names)
    # -I: neither the environment nor the current folder can put a module in the way.
    argv = [sys.executable, "-I", str(worker.__file__)]
    return run_captured(argv, time.cancel, cwd=base, timeout_s=time.left_s, max_bytes=_MAX_OUTPUT_BYTES, feed=feed)


def _answers(output: bytes, query: Query) -> Iterator[tuple[int, list[tuple[int, bool, str]]]]:
    for line in output.split(b"\n")[:-1]:  # what follows the last line end was cut short
        answer: Any = json.loads(line)
        if isinstance(answer, dict):
            raise _invalid(query.pattern, cast(dict[str, Any], answer))
        yield answer


def _invalid(pattern: str, fault: dict[str, Any]) -> ToolFailed:
    position = fault["position"]
    return ToolFailed(
        "search.pattern_invalid",
        kind=ErrorKind.INVALID_ARGUMENT,
        pattern=pattern,
        what=fault["error"],
        position=1 if position is None else position + 1,
    )
