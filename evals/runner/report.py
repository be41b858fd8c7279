"""What the runs came to: a table, JSON, JUnit, and one HTML page that opens from disk."""

import html
import json
import re
import time
from typing import Any, NamedTuple
from xml.etree import ElementTree

from evals.runner.case import ALL_POINTS, CASES, Case
from evals.runner.running import Outcome, Status

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that no XML may hold, not even escaped: programs that a grader ran print them."""
PROVES_GRADERS = "prepared conversations: this proves the graders and the harness, and says nothing of a model"


class Report(NamedTuple):
    model: str
    """Empty: prepared conversations."""
    cases: tuple[Case, ...]
    outcomes: tuple[Outcome, ...]
    surprises: dict[tuple[str, str], str]
    """(case, conversation) → what differs from what was foretold."""
    duration_s: float

    @property
    def counted(self) -> tuple[Outcome, ...]:
        """The runs whose points count: all with a model, the prepared solutions without."""
        return tuple(each for each in self.outcomes if self.model or each.conversation == "solution")

    @property
    def missing(self) -> dict[str, int]:
        """Cases that are not there yet, with their points."""
        there = {folder.name for folder in CASES.iterdir()} | {case.id for case in self.cases}
        return {name: points for name, points in ALL_POINTS.items() if name not in there}


def table(report: Report) -> str:
    rows = [("case", "level", "conversation", "score", "of", "steps", "calls", "s", "")]
    levels = {case.id: case.level for case in report.cases}
    for each in report.outcomes:
        rows.append(
            (
                each.case,
                levels[each.case],
                each.conversation or report.model,
                f"{each.score:g}" if each.status is Status.GRADED else each.status.value.upper(),
                f"{each.points:g}",
                str(each.steps),
                str(each.tool_calls),
                f"{each.duration_s:.1f}",
                _remark(each, report.surprises.get((each.case, each.conversation), "")),
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return "\n".join([*lines, "", *summary(report)]) + "\n"


def summary(report: Report) -> list[str]:
    graded = [each for each in report.counted if each.status is Status.GRADED]
    score, points = sum(each.score for each in graded), sum(each.points for each in graded)
    lines = [f"{report.model or PROVES_GRADERS}", f"{score:g} of {points:g} points in {len(graded)} graded runs"]
    for status in (Status.INVALID, Status.SKIPPED):
        found = [each for each in report.outcomes if each.status is status]
        lines += [f"{status.value.upper()}({each.why}): {each.case} {each.conversation}".rstrip() for each in found]
    if report.missing:
        named = " ".join(f"{name}({count})" for name, count in report.missing.items())
        lines.append(f"not there yet, {sum(report.missing.values())} points: {named}")
    if not report.model:
        ran = [each for each in report.outcomes if each.status is not Status.SKIPPED]
        wrong = [each for each in ran if each.conversation.startswith("wrong_")]
        as_foretold = len(ran) - len(report.surprises)
        lines.append(f"{as_foretold} of {len(ran)} runs as foretold, {len(wrong)} of them wrong on purpose")
    lines.append(f"{report.duration_s:.1f} s")
    return lines


def as_json(report: Report) -> str:
    record: dict[str, Any] = {
        "model": report.model,
        "label": "" if report.model else PROVES_GRADERS,
        "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "score": sum(each.score for each in report.counted if each.status is Status.GRADED),
        "points": sum(each.points for each in report.counted if each.status is Status.GRADED),
        "missing": report.missing,
        "duration_s": report.duration_s,
        "runs": [
            each._asdict()
            | {
                "status": each.status.value,
                "checks": [check._asdict() for check in each.checks],
                "surprise": report.surprises.get((each.case, each.conversation), ""),
            }
            for each in report.outcomes
        ],
    }
    return json.dumps(record, ensure_ascii=False, indent=1) + "\n"


def as_junit(report: Report) -> str:
    suite = ElementTree.Element("testsuite", name="paicli evals", tests=str(len(report.outcomes)))
    for each in report.outcomes:
        case = ElementTree.SubElement(
            suite,
            "testcase",
            classname=each.case,
            name=each.conversation or report.model,
            time=f"{each.duration_s:.3f}",
        )
        surprise = report.surprises.get((each.case, each.conversation), "")
        if each.status is Status.SKIPPED:
            ElementTree.SubElement(case, "skipped", message=each.why)
        elif each.status is Status.INVALID:
            ElementTree.SubElement(case, "error", message=each.why)
        elif surprise or (report.model and each.score < each.points):
            ElementTree.SubElement(case, "failure", message=surprise or _remark(each, ""))
    failures, errors = len(suite.findall("*/failure")), len(suite.findall("*/error"))
    suite.attrib |= {"failures": str(failures), "errors": str(errors), "skipped": str(len(suite.findall("*/skipped")))}
    text = _NOT_XML.sub("\ufffd", ElementTree.tostring(suite, encoding="unicode"))
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'


def as_html(report: Report) -> str:
    """One page without anything from elsewhere: bars by case, by level, and every check that failed."""
    levels = {case.id: case for case in report.cases}
    counted = [each for each in report.counted if each.status is Status.GRADED]
    by_group = _sums(counted, lambda each: each.case[0])
    by_level = _sums(counted, lambda each: levels[each.case].level)
    rows = "".join(_html_row(report, each, levels[each.case]) for each in report.outcomes)
    title = html.escape(report.model or PROVES_GRADERS)
    facts = "".join(f"<li>{html.escape(line)}</li>" for line in summary(report))
    return f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>paicli evals</title>
<style>
body {{ font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }}
table {{ border-collapse: collapse; width: 100%; }} td, th {{ padding: .25rem .5rem; text-align: left; }}
tr {{ border-bottom: 1px solid #8883; vertical-align: top; }} .bad {{ color: #b3261e; }} .dim {{ opacity: .65; }}
svg text {{ font: 12px system-ui, sans-serif; fill: currentColor; }} figure {{ margin: 1rem 0; }}
@media (prefers-color-scheme: dark) {{ body {{ background: #16181c; color: #e6e6e6; }} .bad {{ color: #ff8a80; }} }}
</style>
<h1>paicli evals</h1><p>{title}</p><ul>{facts}</ul>
<figure><figcaption>Points by group</figcaption>{_bars(by_group)}</figure>
<figure><figcaption>Points by level</figcaption>{_bars(by_level)}</figure>
<figure><figcaption>Points by case</figcaption>{_bars(_sums(counted, lambda each: each.case))}</figure>
<table><tr><th>case<th>title<th>conversation<th>score<th>steps<th>tokens<th>s<th>what was lost</tr>{rows}</table>
</html>
"""


def _html_row(report: Report, each: Outcome, case: Case) -> str:
    surprise = report.surprises.get((each.case, each.conversation), "")
    score = f"{each.score:g} / {each.points:g}" if each.status is Status.GRADED else each.status.value
    cells = (each.case, case.title, each.conversation or report.model, score, each.steps, each.tokens)
    remark = html.escape(_remark(each, surprise))
    shown = "".join(f"<td>{html.escape(str(cell))}" for cell in cells)
    return f'<tr>{shown}<td>{each.duration_s:.1f}<td class="{"bad" if surprise else "dim"}">{remark}</tr>'


def _bars(sums: dict[str, tuple[float, float]]) -> str:
    height, parts = 22, []
    for number, (name, (score, points)) in enumerate(sums.items()):
        top, width = number * height, 420
        filled = width * score / points if points else 0
        parts.append(
            f'<text x="0" y="{top + 15}">{html.escape(name)}</text>'
            f'<rect x="40" y="{top + 3}" width="{width}" height="15" rx="3" fill="#8884"/>'
            f'<rect x="40" y="{top + 3}" width="{filled:.1f}" height="15" rx="3" fill="#3b7dd8"/>'
            f'<text x="{width + 50}" y="{top + 15}">{score:g} / {points:g}</text>'
        )
    total = height * len(sums)
    return f'<svg role="img" width="560" height="{total}" viewBox="0 0 560 {total}">{"".join(parts)}</svg>'


def _sums(outcomes: list[Outcome], key: Any) -> dict[str, tuple[float, float]]:
    sums: dict[str, tuple[float, float]] = {}
    for each in outcomes:
        score, points = sums.get(key(each), (0.0, 0.0))
        sums[key(each)] = (score + each.score, points + each.points)
    return dict(sorted(sums.items()))


def _remark(outcome: Outcome, surprise: str) -> str:
    if surprise:
        return f"NOT AS FORETOLD: {surprise}"
    if outcome.status is not Status.GRADED:
        return outcome.why
    if outcome.gate:
        return f"gate: {outcome.gate}"
    return "lost: " + ", ".join(outcome.lost) if outcome.lost else ""
