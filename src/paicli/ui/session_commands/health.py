"""/doctor: whether paicli can work here, one line for each thing that was looked at."""

from paicli.core.faults import Verdict
from paicli.ui.command import CommandContext
from paicli.ui.rendering.styled import Line
from paicli.ui.setup.finding_lines import finding_line, verdict_line

_OFFLINE = "offline"


def answer_doctor(context: CommandContext, argument: str) -> list[Line]:
    """Asks the model a few small things, unless `offline` is given."""
    if argument.lower() not in {"", _OFFLINE}:
        return context.wrong("session.doctor_usage")
    findings = context.queries.examine(is_offline=bool(argument))
    bad_count = sum(finding.verdict is Verdict.BAD for finding in findings)
    return [*(finding_line(finding, context.texts) for finding in findings), verdict_line(bad_count, context.texts)]
