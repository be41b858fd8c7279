import json
import os
import shutil
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from pydantic import ValidationError

from paicli.core.errors import ToolFailed
from paicli.core.messages import ProjectCreated
from paicli.system.new_folder import FolderOccupied, create_folder
from paicli.tools.builtin.create_project import CreateProject
from paicli.tools.project_templates import project_files
from tests.patience import PATIENCE_S
from tests.tools.command_kit import CommandKit


def create(root: Path, name: str, kind: str) -> ProjectCreated:
    result = CommandKit(root).call(CreateProject(), name=name, kind=kind)
    assert isinstance(result.detail, ProjectCreated)
    assert result.files_written == tuple(str(root / name / file) for file in result.detail.files)
    return result.detail


def files_below(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("name", ["My.Shop-2", "json", "_", "test", "test_app", "packaging"])
def test_a_python_project_passes_its_own_tests(tmp_path: Path, name: str) -> None:
    detail = create(tmp_path, name, "python")
    assert (detail.path, files_below(tmp_path / name)) == (name, sorted(detail.files))
    tomllib.loads((tmp_path / name / "pyproject.toml").read_text())
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=tmp_path / name,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert (run.returncode, "1 passed" in run.stdout) == (0, True), run.stdout


@pytest.mark.parametrize(
    ("name", "package"),
    [("shop", "shop"), ("2048", "app_2048"), ("class", "class_app"), ("tests", "tests_app"), ("A..b", "a_b")],
)
def test_the_package_has_a_name_that_can_be_imported_and_shadows_nothing(name: str, package: str) -> None:
    assert f"src/{package}/__init__.py" in project_files(name, "python")


@pytest.mark.skipif(shutil.which("node") is None, reason="needs node to run the created project's tests")
def test_a_node_project_passes_its_own_tests(tmp_path: Path) -> None:
    detail = create(tmp_path, "Shop_1", "node")
    assert files_below(tmp_path / "Shop_1") == sorted(detail.files)
    package = json.loads((tmp_path / "Shop_1" / "package.json").read_text())
    assert package["name"] == "shop-1"
    run = subprocess.run(
        ["node", "--test"], cwd=tmp_path / "Shop_1", capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert run.returncode == 0, run.stdout


def test_a_java_project_has_pinned_versions_and_sources_where_maven_looks(tmp_path: Path) -> None:
    detail = create(tmp_path, "shop", "java")
    assert detail.files == (
        "pom.xml",
        "src/main/java/com/example/app/App.java",
        "src/test/java/com/example/app/AppTest.java",
        ".gitignore",
    )
    pom = ElementTree.parse(tmp_path / "shop" / "pom.xml").getroot()
    space = {"m": "http://maven.apache.org/POM/4.0.0"}
    versions = {
        node.findtext("m:artifactId", namespaces=space): node.findtext("m:version", namespaces=space)
        for node in (*pom.iterfind(".//m:dependency", space), *pom.iterfind(".//m:plugin", space))
    }
    assert pom.findtext("m:artifactId", namespaces=space) == "shop"
    plugins = {f"maven-{step}-plugin" for step in ("resources", "compiler", "surefire", "jar")}
    assert set(versions) == {"junit-jupiter", *plugins}
    assert all(versions.values())


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "shop").mkdir()
    detail = create(tmp_path, "shop", "node")
    assert files_below(tmp_path / "shop") == sorted(detail.files)
    assert os.listdir(tmp_path) == ["shop"]


@pytest.mark.parametrize("what", ["full folder", "file"])
def test_what_is_there_is_left_as_it_is(tmp_path: Path, what: str) -> None:
    if what == "file":
        (tmp_path / "shop").write_text("mine")
    else:
        (tmp_path / "shop").mkdir()
        (tmp_path / "shop" / "mine.txt").write_text("mine")
    with pytest.raises(ToolFailed) as caught:
        CommandKit(tmp_path).call(CreateProject(), name="shop", kind="python")
    assert caught.value.code == "project.exists"
    assert files_below(tmp_path) in (["shop"], ["shop/mine.txt"])


@pytest.mark.parametrize("name", ["", "..", ".hidden", "-rf", "a/b", "../a", "a\0b", "a b", "é", "a" * 65, "a\n"])
def test_a_name_is_one_plain_component(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValidationError):
        CommandKit(tmp_path).call(CreateProject(), name=name, kind="python")
    assert os.listdir(tmp_path) == []


def test_a_failure_in_the_middle_leaves_nothing(tmp_path: Path) -> None:
    files = {"a.txt": "a", "b/c/d.txt": "d", "a.txt/b.txt": "b"}
    with pytest.raises(OSError, match="Not a directory"):
        create_folder(tmp_path, ["shop"], files)
    assert os.listdir(tmp_path) == []


def test_a_link_in_the_way_is_not_followed(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    root.mkdir()
    outside.mkdir()
    (root / "shop").symlink_to(outside)
    with pytest.raises(FolderOccupied):
        create_folder(root, ["shop"], {"a": "a"})
    assert (os.listdir(outside), os.listdir(root)) == ([], ["shop"])


def test_the_preview_names_the_files_and_creates_none(tmp_path: Path) -> None:
    tool = CreateProject()
    arguments = tool.arguments_model.model_validate({"name": "shop", "kind": "node"})
    kit = CommandKit(tmp_path)
    seen = tool.preview(arguments, kit.context())
    assert seen == ProjectCreated("shop", "node", tuple(project_files("shop", "node")))
    assert os.listdir(tmp_path) == []
