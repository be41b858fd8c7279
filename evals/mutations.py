"""The proof of the replayer: good journals with one fault each, and how many of them it named.

The journals are those of the installed paicli in the tests' scenarios, the faults those of the tests' table.
"""

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from tests.evals.test_e1_replay import MUTATIONS, Mutant, made_journals, mutants

from evals.e1_replay import check

Records = list[dict[str, Any]]


def main() -> int:
    """Prints a line for each rule and the sum. 0: all caught and no good journal blamed."""
    with tempfile.TemporaryDirectory(prefix="paicli-mutations-") as folder:
        journals = made_journals(lambda name: Path(tempfile.mkdtemp(prefix=name, dir=folder)))
    by_rule = {rule: list(mutants(journals, rule)) for rule in MUTATIONS}
    blamed = [name for name, records in journals.items() if check(records)]
    print("\n".join(report(by_rule, good=len(journals), blamed=blamed)))
    return 0 if not blamed and all(mutant.is_caught for made in by_rule.values() for mutant in made) else 1


def report(by_rule: Mapping[str, list[Mutant]], *, good: int, blamed: list[str]) -> Iterator[str]:
    caught = total = 0
    for rule, made in by_rule.items():
        found = [mutant for mutant in made if mutant.is_caught]
        caught, total = caught + len(found), total + len(made)
        yield f"{rule:28}{len(found):4} of {len(made)}"
        for mutant in made:
            if not mutant.is_caught:
                yield f"    missed: mutation {mutant.mutation} of {mutant.journal!r}, blamed {sorted(mutant.blamed)}"
    yield f"{caught} of {total} mutations caught, {len(by_rule)} rules"
    yield f"{good - len(blamed)} of {good} good journals not blamed" + (f": {', '.join(blamed)}" if blamed else "")
