"""Every line that names the variable, nothing that only looks like it, and the page that stays."""

import re
from collections.abc import Iterator
from pathlib import Path

from evals.runner.evidence import Check, Evidence

_NAME = re.compile(r"(?<![A-Z_])RETENTION_DAYS\b")
_STAYS = "docs/history.md"


def grade(run: Evidence) -> Iterator[Check]:
    found = run.json_answer if isinstance(run.json_answer, dict) else {}
    wanted = set(lines_to_change(run.pristine))
    listed = found.get("change") if isinstance(found.get("change"), list) else []
    named = {(run.relative(each.get("file")), each.get("line")) for each in listed if isinstance(each, dict)}
    yield Check("complete", wanted <= named, f"missing {sorted(wanted - named)}")
    yield Check("nothing_else", bool(named) and named <= wanted, f"too much {sorted(named - wanted, key=str)}")
    left = found.get("leave") if isinstance(found.get("leave"), list) else []
    yield Check("left", list(map(run.relative, left)) == [_STAYS], f"left {found.get('leave')}")


def lines_to_change(root: Path) -> Iterator[tuple[str, int]]:
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if not path.is_file() or name == _STAYS or "__pycache__" in name:
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if _NAME.search(line):
                yield name, number
