"""No server: says that the case is skipped where Maven's local repository lacks what an offline build needs."""

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

from evals.runner.service import Missing

POM = Path(__file__).parent / "workspace" / "pom.xml"
_PLUGIN = re.compile(r"<artifactId>(maven-\w+-plugin)</artifactId>\s*<version>([\d.]+)</version>")
_JUNIT = re.compile(r"<junit.version>([\d.]+)</junit.version>")


@contextmanager
def start(folder: Path) -> Iterator[SimpleNamespace]:
    """`folder` is the run's HOME; Maven keeps to the repository of the person who runs the evals."""
    repository = Path.home() / ".m2" / "repository"
    lacking = [jar for jar in needed(POM.read_text(encoding="utf-8")) if not (repository / jar).is_file()]
    if lacking:
        bring = "run `mvn -q verify` once online in the repaired workspace, or any project with these versions"
        raise Missing(f"{', '.join(Path(jar).name for jar in lacking)} in {repository}; {bring}")
    given = os.environ.get("MAVEN_OPTS", "-XX:TieredStopAtLevel=1")  # a build this small is over before the JVM is warm
    yield SimpleNamespace(environment={"MAVEN_OPTS": f"{given} -Dmaven.repo.local={repository}"})


def needed(pom: str) -> Iterator[str]:
    """The jars that the poms name, below the repository."""
    for name, version in _PLUGIN.findall(pom):
        yield f"org/apache/maven/plugins/{name}/{version}/{name}-{version}.jar"
    for version in _JUNIT.findall(pom):
        yield f"org/junit/jupiter/junit-jupiter-engine/{version}/junit-jupiter-engine-{version}.jar"
