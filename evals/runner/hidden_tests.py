"""`python hidden_tests.py TESTS.py RESULT`: runs a grader's unittest classes, a line of RESULT for each.

A program of its own, standard library only: it runs in the workspace and may hang, crash or exit with it.
"""

import importlib.util
import re
import sys
import unittest
from pathlib import Path

_RAISED = re.compile(r"[A-Za-z_][\w.]*(?:Error|Exception|Exit|Interrupt)\b")


def main(tests: str, result: str) -> int:
    spec = importlib.util.spec_from_file_location("hidden_tests_of_a_case", tests)
    if spec is None or spec.loader is None:
        return 2
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    for name, value in tuple(vars(module).items()):
        if isinstance(value, type) and issubclass(value, unittest.TestCase):
            with Path(result).open("a", encoding="utf-8") as lines:
                lines.write(f"{name}\t{_first_failure(value)}\n")
    return 0


def _first_failure(group: type[unittest.TestCase]) -> str:
    tests = unittest.defaultTestLoader.loadTestsFromTestCase(group)
    outcome = unittest.TextTestRunner(verbosity=0, failfast=True).run(tests)
    if not outcome.testsRun:
        return "no tests"
    for test, trace in (*outcome.failures, *outcome.errors):
        lines = trace.strip().splitlines()
        raised = next((line for line in reversed(lines) if _RAISED.match(line)), lines[-1])
        return f"{test.id().rpartition('.')[2]}: {raised[:200]}"
    return ""


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
