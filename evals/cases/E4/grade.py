"""A compaction in the journal, and behind it a last step that still keeps what was agreed at the start.

The window is small on purpose: by `config` for a model, by the recording's first line for a replay.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from evals.runner.evidence import Check, Evidence

HIDDEN = Path(__file__).parent / "hidden" / "test_billing.py"
FUNCTIONS = ["calc_discount", "calc_shipping", "calc_vat", "calc_invoice_total"]


def grade(run: Evidence) -> Iterator[Check]:
    ends = [record for record in run.events("compaction_finished") if record["is_summarised"]]
    last = max((record["seq"] for record in run.events("turn_finished")), default=0)
    yield Check("compacted", any(record["seq"] < last for record in ends), f"{len(ends)} summaries")
    verdicts = run.hidden_python(HIDDEN)
    yield verdicts.check("steps")
    yield verdicts.check("total", "total_")
    public = functions(run.text("billing/invoice.py"))
    yield Check("name", public == ["calc_invoice_total"], f"public functions {public}")
    exact = verdicts.check("money")
    bets = [f"{name}: {what}" for name in ("discount", "shipping", "vat", "invoice") for what in inexact(run, name)]
    yield Check("money", exact.passed and not bets, "; ".join([*bets, exact.why]))
    listed = [line.removeprefix("- ").strip("` ") for line in run.text("CHANGES.md").splitlines() if line[:2] == "- "]
    yield Check("changes", listed == FUNCTIONS, f"CHANGES.md lists {listed}")


def functions(source: str) -> list[str]:
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return []
    return [node.name for node in tree.body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")]


def inexact(run: Evidence, module: str) -> Iterator[str]:
    """What the person ruled out."""
    try:
        tree = ast.parse(run.text(f"billing/{module}.py"))
    except SyntaxError as error:
        yield f"no python: {error}"
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            yield f"{node.value} at line {node.lineno}"
        if isinstance(node, ast.Name) and node.id in {"float", "round"}:
            yield f"{node.id} at line {node.lineno}"
