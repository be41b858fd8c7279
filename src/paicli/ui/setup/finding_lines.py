"""One line for each thing that was looked at."""

from paicli.core.catalogue.lookup import Texts
from paicli.core.faults import Finding, Verdict
from paicli.ui.rendering.fault_texts import fault_text
from paicli.ui.rendering.styled import Line, Span, Style

_HANG = 6
"""Further rows of a finding begin under its text: a mark is four columns in both languages."""
_STYLES = {Verdict.OK: Style.GOOD, Verdict.WARN: Style.WARNING, Verdict.BAD: Style.BAD}


def finding_line(finding: Finding, texts: Texts) -> Line:
    """Its verdict and what to do, on one line whatever the text holds."""
    words = "; ".join(part.strip() for part in fault_text(finding.what, texts).splitlines() if part.strip())
    mark = texts.screen(f"doctor.{finding.verdict.value}")
    return Line((Span(mark, _STYLES[finding.verdict]), Span(f"  {words}")), hang=_HANG, is_prose=True)


def verdict_line(bad_count: int, texts: Texts) -> Line:
    """The last line."""
    if bad_count:
        return Line((Span(texts.screen("doctor.unusable", count=bad_count), Style.BAD),))
    return Line((Span(texts.screen("doctor.usable"), Style.GOOD),))
