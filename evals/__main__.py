"""`python -m evals run [--model M] [--case ID] [--jobs N] [--out DIR] [--keep DIR]`, `list` or `mutations`.

Without a model every case runs on its prepared conversations: the solution must score in full, each wrong one must
lose exactly what its case foretells. Exit status: 0 all as wished, 1 not (or, with a model, points were lost), 2 wrong
usage.
"""

import argparse
import importlib
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from evals.runner.bringing import bring, use_brought
from evals.runner.case import Case, CaseBroken, load_cases
from evals.runner.expected import surprise
from evals.runner.report import Report, as_html, as_json, as_junit, table
from evals.runner.running import Outcome, Status, prepared_runs, run_case


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m evals", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("list", help="the cases there are")
    commands.add_parser("mutations", help="good journals with one fault each: how many the replayer names")
    run = commands.add_parser("run", help="run and grade them")
    run.add_argument("--model", default="", help="[PROVIDER/]MODEL, reached as paicli reaches it; none: prepared ones")
    run.add_argument("--case", action="append", default=[], metavar="ID", help="only this one; may be repeated")
    run.add_argument("--jobs", type=int, default=2, metavar="N", help="runs at once")
    run.add_argument("--out", type=Path, metavar="DIR", help="report.json, report.xml, report.html go there")
    run.add_argument("--keep", type=Path, metavar="DIR", help="keep each run's folder there")
    run.add_argument("--bring", action="store_true", help="install what a case needs and the machine lacks (npm)")
    given = parser.parse_args(arguments)
    if given.command == "mutations":
        return importlib.import_module("evals.mutations").main()  # it needs the tests, which a run does not
    try:
        cases = load_cases(given.case if given.command == "run" else [])
        if given.command == "list":
            print("\n".join(f"{case.id}  {case.level}  {case.points:g}  {case.title}" for case in cases))
            return 0
        use_brought()
        for line in bring(cases) if given.bring else ():
            print(f"not to be had: {line}", file=sys.stderr)
        report = run_all(cases, model=given.model, jobs=max(1, given.jobs), keep=given.keep)
    except CaseBroken as error:
        print(error, file=sys.stderr)
        return 2
    print(table(report), end="")
    if given.out is not None:
        given.out.mkdir(parents=True, exist_ok=True)
        for name, write in (("report.json", as_json), ("report.xml", as_junit), ("report.html", as_html)):
            (given.out / name).write_text(write(report), encoding="utf-8")
    return 0 if is_as_wished(report) else 1


def run_all(cases: list[Case], *, model: str, jobs: int, keep: Path | None) -> Report:
    """One run of each; nothing is tried again."""
    runs = [(case, model, "") for case in cases] if model else list(prepared_runs(cases))
    started = time.monotonic()

    def one(run: tuple[Case, str, str]) -> Outcome:
        case, named, conversation = run
        return run_case(case, model=named, conversation=conversation, keep=keep)

    with ThreadPoolExecutor(jobs) as pool:
        outcomes = list(pool.map(one, runs))
    surprises: dict[tuple[str, str], str] = {}
    if not model:
        for (case, _, conversation), outcome in zip(runs, outcomes, strict=True):
            if text := surprise(case, outcome):
                surprises[case.id, conversation] = text
    return Report(model, tuple(cases), tuple(outcomes), surprises, time.monotonic() - started)


def is_as_wished(report: Report) -> bool:
    if not report.model:
        return not report.surprises
    return all(each.status is not Status.INVALID and each.score == each.points for each in report.outcomes)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
