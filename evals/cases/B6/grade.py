"""The setting by hidden tests, deployments by the seconds they come to, files by the names that are left in them."""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from evals.runner.evidence import Check, Evidence

HIDDEN = Path(__file__).parent / "hidden" / "test_setting.py"
TESTS = (sys.executable, "-m", "unittest", "discover", "-s", "tests", "-t", ".")
OLD = re.compile(r"\bcache_ttl\b|\bPROXY_CACHE_TTL\b|DEFAULT_TTL_MINUTES")
NEW = "PROXY_CACHE_MAX_AGE_S"
_END = r"[ \t]*(?:#.*)?$"
"""A comment may say what the number is."""
WANTED = {
    "deploy/compose.yaml": (rf"^ +{NEW}: *([\"']?)300\1{_END}", 1),
    "deploy/staging.env": (rf"^{NEW}=0{_END}", 1),
    "deploy/k8s/deployment.yaml": (rf"^ +- name: {NEW}\n +value: *([\"'])1200\1{_END}", 1),
    "deploy/proxy.toml": (rf"^cache_max_age_s *= *5_?400{_END}", 1),
}
"""What must stand in a deployment, and in how many places."""


def grade(run: Evidence) -> Iterator[Check]:
    own = run.own_tests(*TESTS)
    before, _ = run.run(*TESTS, cwd=str(run.as_it_was()))
    yield own if before != 0 or not own.passed else Check("own_tests", passed=False, why="they pass on the old code")
    verdicts = run.hidden_python(HIDDEN)
    for name in ("new_name", "fallback", "order"):
        yield verdicts.check(name)
    wrong = [path for path, (line, count) in WANTED.items() if len(re.findall(line, run.text(path), re.M)) != count]
    wrong += [path for path in WANTED if OLD.search(run.text(path)) and path not in wrong]
    yield Check("deploy", not wrong, f"other settings in {json.dumps(wrong)}")
    left = [path for path in ("cache.py", "headers.py", "cli.py") if OLD.search(run.text(f"cacheproxy/{path}"))]
    left += ["README.md"] if OLD.search(run.text("README.md")) else []
    yield Check("leftovers", not left, f"the old name in {left}")
    page, news = run.text("docs/configuration.md"), run.text("CHANGELOG.md").partition("## 2.1.0")[0]
    rows = [line for line in page.splitlines() if "cache_max_age_s" in line and NEW in line and "900" in line]
    named = ("`cache_ttl`", "`PROXY_CACHE_TTL`")
    is_told = all(name in page for name in named) and "cache_max_age_s" in news and "cache_ttl" in news
    is_told = (
        is_told
        and re.search("deprecat|弃用", page, re.IGNORECASE) is not None
        and "minute" in page.lower().replace("分钟", "minute")
    )
    yield Check("docs", bool(rows) and is_told, f"rows {rows}, the old name told: {is_told}")
