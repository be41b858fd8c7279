"""The files of a new project, by kind: as little as builds, runs and tests."""

import keyword
import re
import sys

CHECKS = {
    "java": "mvn -q verify",
    "python": "python -m pytest",
    "node": "npm test",
}
"""kind → the command that builds and tests it, in its folder."""

_OF_PYTEST = frozenset({"conftest", "iniconfig", "packaging", "pluggy", "py", "pytest"})
_TAKEN = frozenset({"test", "tests", "src", "setuptools", "build", "dist"}) | _OF_PYTEST | sys.stdlib_module_names
"""Names a package would shadow or collide with."""

_POM = """\
<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0"
         xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
         xsi:schemaLocation="http://maven.apache.org/POM/4.0.0 http://maven.apache.org/xsd/maven-4.0.0.xsd">
  <modelVersion>4.0.0</modelVersion>
  <groupId>com.example</groupId>
  <artifactId>@NAME@</artifactId>
  <version>0.1.0</version>
  <packaging>jar</packaging>
  <properties>
    <maven.compiler.release>17</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency>
      <groupId>org.junit.jupiter</groupId>
      <artifactId>junit-jupiter</artifactId>
      <version>5.11.4</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-resources-plugin</artifactId>
        <version>3.3.1</version>
      </plugin>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-compiler-plugin</artifactId>
        <version>3.13.0</version>
      </plugin>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-surefire-plugin</artifactId>
        <version>3.2.5</version>
      </plugin>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-jar-plugin</artifactId>
        <version>3.4.1</version>
      </plugin>
    </plugins>
  </build>
</project>
"""

_JAVA_MAIN = """\
package com.example.app;

public final class App {
    private App() {
    }

    public static String greeting(String name) {
        return "Hello, " + name + "!";
    }

    public static void main(String[] args) {
        System.out.println(greeting(args.length > 0 ? args[0] : "world"));
    }
}
"""

_JAVA_TEST = """\
package com.example.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class AppTest {
    @Test
    void greetsByName() {
        assertEquals("Hello, paicli!", App.greeting("paicli"));
    }
}
"""

_PYPROJECT = """\
[build-system]
requires = ["setuptools>=68"]
build-backend = "setuptools.build_meta"

[project]
name = "@NAME@"
version = "0.1.0"
requires-python = ">=3.9"

[project.optional-dependencies]
dev = ["pytest>=7"]

[tool.setuptools.packages.find]
where = ["src"]

[tool.pytest.ini_options]
testpaths = ["tests"]
pythonpath = ["src"]
"""

_PYTHON_MAIN = '''\
"""Greets."""

import sys


def greeting(name: str) -> str:
    return f"Hello, {name}!"


def main() -> None:
    print(greeting(sys.argv[1] if len(sys.argv) > 1 else "world"))


if __name__ == "__main__":
    main()
'''

_PYTHON_TEST = """\
from @PACKAGE@.app import greeting


def test_greets_by_name() -> None:
    assert greeting("paicli") == "Hello, paicli!"
"""

_PACKAGE_JSON = """\
{
  "name": "@NAME@",
  "version": "0.1.0",
  "private": true,
  "type": "module",
  "main": "src/index.js",
  "engines": { "node": ">=18" },
  "scripts": {
    "start": "node src/main.js",
    "test": "node --test"
  }
}
"""

_NODE_INDEX = """\
export function greeting(name) {
  return `Hello, ${name}!`;
}
"""

_NODE_MAIN = """\
import { greeting } from './index.js';

console.log(greeting(process.argv[2] ?? 'world'));
"""

_NODE_TEST = """\
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { greeting } from '../src/index.js';

test('greets by name', () => {
  assert.equal(greeting('paicli'), 'Hello, paicli!');
});
"""


def project_files(name: str, kind: str) -> dict[str, str]:
    """Relative path → text, for the kinds java, python and node."""
    if kind == "java":
        return _java_files(name)
    return _python_files(name) if kind == "python" else _node_files(name)


def _java_files(name: str) -> dict[str, str]:
    return {
        "pom.xml": _POM.replace("@NAME@", name),
        "src/main/java/com/example/app/App.java": _JAVA_MAIN,
        "src/test/java/com/example/app/AppTest.java": _JAVA_TEST,
        ".gitignore": "target/\n",
    }


def _python_files(name: str) -> dict[str, str]:
    package = _identifier(name)
    package = f"{package}_app" if package in _TAKEN or keyword.iskeyword(package) else package
    return {
        "pyproject.toml": _PYPROJECT.replace("@NAME@", _distribution(name)),
        f"src/{package}/__init__.py": "",
        f"src/{package}/app.py": _PYTHON_MAIN,
        f"tests/test_{package}.py": _PYTHON_TEST.replace("@PACKAGE@", package),
        ".gitignore": "__pycache__/\n.venv/\n.pytest_cache/\n*.egg-info/\nbuild/\ndist/\n",
    }


def _node_files(name: str) -> dict[str, str]:
    return {
        "package.json": _PACKAGE_JSON.replace("@NAME@", _distribution(name)),
        "src/index.js": _NODE_INDEX,
        "src/main.js": _NODE_MAIN,
        "test/index.test.js": _NODE_TEST,
        ".gitignore": "node_modules/\n",
    }


def _identifier(name: str) -> str:
    """A name for a package: lower case, letters, digits and underscores, no digit first."""
    words = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") or "app"
    return f"app_{words}" if words[0].isdigit() else words


def _distribution(name: str) -> str:
    """A name pip and npm take: lower case, single dashes between letters and digits."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "app"
