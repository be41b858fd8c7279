"""The poms as they are read, and a build of a copy with the grader's own tests in every module."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from evals.runner.evidence import Check, Evidence

HIDDEN = Path(__file__).parent / "hidden"
NEEDS = {"core": [], "store": ["yard-core"], "report": ["yard-store"], "app": ["yard-report", "yard-store"]}
_OWN = "com.example.yard"
_POM = "{http://maven.apache.org/POM/4.0.0}"
_JVM = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


def grade(run: Evidence) -> Iterator[Check]:
    root = _pom(run.workspace / "pom.xml")
    poms = {name: _pom(run.workspace / name / "pom.xml") for name in NEEDS}
    listed = sorted(_texts(root, "modules/module"))
    names = {name: _texts(pom, "artifactId") for name, pom in poms.items()}
    parents = [name for name in NEEDS if not _is_root(run.workspace, name, poms[name])]
    is_whole = listed == sorted(NEEDS) and names == {name: [f"yard-{name}"] for name in NEEDS} and not parents
    yield Check("reactor", is_whole, f"modules {listed}, names {names}, parent elsewhere: {parents}")
    own_versions = [
        name
        for name, pom in poms.items()
        if _texts(pom, "dependencies/dependency/version") or _texts(pom, "build/plugins/plugin/version")
    ]
    versions = _managed(root)
    managed = versions.get("junit-jupiter") or versions.get("junit-bom")
    is_managed = managed == ["${junit.version}"] and not own_versions
    yield Check("versions", is_managed, f"JUnit is managed as {managed}; versions in {own_versions}")
    edges = {name: _edges(pom) for name, pom in poms.items()}
    wanted = {name: [(needed, "compile") for needed in needs] for name, needs in NEEDS.items()}
    yield Check("direction", edges == wanted, f"{edges}, not {wanted}")
    yield _build(run)


def _build(run: Evidence) -> Check:
    build = run.folder / "build"
    shutil.copytree(run.workspace, build, ignore=shutil.ignore_patterns("target"))
    shutil.copytree(run.bring(HIDDEN), build, dirs_exist_ok=True)
    command = ("mvn", "-o", "-q", "-B", "-DforkCount=0", "verify")
    status, said = run.run(*command, cwd=str(build), MAVEN_OPTS=_JVM)
    if status != 0:
        return Check("builds", False, f"exit status {status}: {said.strip()[:400]}")
    silent = [name for name in NEEDS if not _passed(build / name / "target" / "surefire-reports")]
    return Check("builds", not silent, f"the grader's tests did not run or failed in {silent}")


def _passed(reports: Path) -> bool:
    """Whether a test of the grader's and one of the project's own ran there, and none failed."""
    suites = {path.name: ElementTree.parse(path).getroot() for path in reports.glob("TEST-*.xml")}
    bad = [
        suite for suite in suites.values() if any(suite.get(kind) != "0" for kind in ("failures", "errors", "skipped"))
    ]
    hidden = [name for name in suites if ".Hidden" in name]
    return len(hidden) == 1 and len(suites) > 1 and not bad


def _is_root(workspace: Path, module: str, pom: ElementTree.Element) -> bool:
    """Whether its parent is the root's pom.xml; without a relativePath it is looked for one folder up."""
    named = pom.find(f"{_POM}parent/{_POM}relativePath")
    path = (workspace / module / ((named.text or "") if named is not None else "../pom.xml")).resolve()
    return (path / "pom.xml" if path.is_dir() else path) == (workspace / "pom.xml").resolve()


def _edges(pom: ElementTree.Element) -> list[tuple[str, str]]:
    """(artifactId, scope) of the project's own modules that it depends on."""
    found = _all(pom, "dependencies/dependency")
    own = [each for each in found if _texts(each, "groupId")[:1] in ([_OWN], ["${project.groupId}"])]
    return sorted(("".join(_texts(each, "artifactId")), "".join(_texts(each, "scope")) or "compile") for each in own)


def _managed(pom: ElementTree.Element) -> dict[str, list[str]]:
    found = _all(pom, "dependencyManagement/dependencies/dependency")
    return {"".join(_texts(each, "artifactId")): _texts(each, "version") for each in found}


def _texts(element: ElementTree.Element, path: str) -> list[str]:
    return [(each.text or "").strip() for each in _all(element, path)]


def _all(element: ElementTree.Element, path: str) -> list[ElementTree.Element]:
    return element.findall("/".join(f"{_POM}{part}" for part in path.split("/")))


def _pom(path: Path) -> ElementTree.Element:
    try:
        return ElementTree.parse(path).getroot()
    except (OSError, ElementTree.ParseError):
        return ElementTree.Element("none")
