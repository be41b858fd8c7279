"""Whether a prepared conversation came to the score that its case foretells: this is what proves the graders."""

from evals.runner.case import Case
from evals.runner.running import Outcome, Status


def surprise(case: Case, outcome: Outcome) -> str:
    """What differs from what the case says of this conversation; "" where all is as foretold."""
    if outcome.status is Status.SKIPPED:
        return ""
    if outcome.status is Status.INVALID:
        return f"invalid: {outcome.why}"
    prepared = next(each for each in case.prepared if each.name == outcome.conversation)
    if prepared.gate:
        return "" if prepared.gate in outcome.gate else f"gate {prepared.gate!r} stayed open ({outcome.gate or 'none'})"
    if outcome.gate:
        return f"gate closed: {outcome.gate}"
    if set(outcome.lost) == set(prepared.loses):
        return ""
    whys = "; ".join(f"{each.name}: {each.why}" for each in outcome.checks if not each.passed)
    return f"lost {sorted(outcome.lost)}, foretold {sorted(prepared.loses)} ({whys})"
