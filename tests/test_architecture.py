"""The house's rules as tests: who may import whom, who owns which library, and how large things may grow."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

SRC = Path(__file__).parent.parent / "src" / "paicli"

ROOMS: dict[str, set[str]] = {
    "core": set(),
    "llm": {"core"},
    "system": {"core"},
    "policy": {"core"},
    "session": {"core", "system"},
    "tools": {"core", "system", "policy"},
    "context": {"core", "system", "llm"},
    "plan": {"core", "system", "llm", "context"},
    "agent": {"core", "system", "llm", "policy", "session", "tools", "context", "plan"},
    "ui": {"core"},
    "app": {"core", "system", "llm", "policy", "session", "tools", "context", "plan", "agent", "ui"},
}

OWNERS: dict[str, set[str]] = {
    "httpx": {"llm", "tools"},
    "httpcore": {"llm", "tools"},
    "trafilatura": {"tools"},
    "lxml": {"tools"},
    "publicsuffixlist": {"policy"},
    "httpx_sse": {"llm"},
    "subprocess": {"system"},
    "fcntl": {"system"},
    "concurrent": {"system", "plan", "tools", "agent", "app"},  # futures are awaited where work is handed out
    "networkx": {"plan"},
    "tree_sitter": {"policy"},
    "tree_sitter_bash": {"policy"},
    "rich": {"ui"},
    "pygments": {"ui"},
    "prompt_toolkit": {"ui"},
    "charset_normalizer": {"tools"},
    "pathspec": {"tools"},
    "pydantic": {"core", "llm", "tools", "plan", "policy", "agent", "app", "context", "session"},
    "argparse": {"app"},
    "tomlkit": {"app"},
}

LAZY_REASON = re.compile(r"#.*\b(ms|start-up|startup|cycle)\b")
MODULE_LINES, UI_MODULE_LINES = 400, 500
FUNCTION_LINES, LOOP_FUNCTION_LINES = 60, 80
MAX_PARAMETERS, MAX_POSITIONAL, MAX_NESTING, MAX_FILES = 8, 2, 4, 15
LONG_FUNCTIONS: frozenset[str] = frozenset({"agent/tool_loop.py:run"})
NESTING = (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.Match)


def modules() -> list[Path]:
    return sorted(SRC.rglob("*.py"))


def room_of(path: Path) -> str | None:
    parts = path.relative_to(SRC).parts
    return parts[0] if len(parts) > 1 else None


def imports(tree: ast.AST) -> Iterator[tuple[str, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"relative import in line {node.lineno}"
            yield node.module or "", node.lineno


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SRC)))
class TestEachModule:
    def test_imports_only_what_its_room_may(self, path: Path) -> None:
        room = room_of(path)
        for name, line in imports(ast.parse(path.read_text())):
            top, *rest = name.split(".")
            if top == "paicli" and rest and room:
                allowed = {room, *ROOMS[room], *({"version"} if room == "app" else ())}
                assert rest[0] in allowed, f"{path}:{line}: {room} may not import {name}"
            if top in OWNERS and room:
                assert room in OWNERS[top], f"{path}:{line}: {room} may not import {name}"

    def test_imports_at_the_top_or_says_why_not(self, path: Path) -> None:
        text = path.read_text()
        lines = text.splitlines()
        for function in functions(ast.parse(text)):
            for node in ast.walk(function):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    around = "\n".join(lines[max(0, node.lineno - 3) : node.end_lineno])
                    assert LAZY_REASON.search(around), f"{path}:{node.lineno}: lazy import without its measured reason"

    def test_keeps_its_size(self, path: Path) -> None:
        text = path.read_text()
        limit = UI_MODULE_LINES if room_of(path) == "ui" else MODULE_LINES
        assert len(text.splitlines()) <= limit
        for function in functions(ast.parse(text)):
            where = f"{path.relative_to(SRC)}:{function.name}"
            length = (function.end_lineno or 0) - function.lineno + 1
            assert length <= (LOOP_FUNCTION_LINES if where in LONG_FUNCTIONS else FUNCTION_LINES), f"{where}: {length}"
            check_parameters(function, where)
            assert depth(function) <= MAX_NESTING, f"{where}: nested {depth(function)} deep"

    def test_starts_by_saying_what_it_is_for(self, path: Path) -> None:
        assert ast.get_docstring(ast.parse(path.read_text())), f"{path}: no module docstring"

    def test_prints_only_where_output_is_owned(self, path: Path) -> None:
        if room_of(path) in {"ui", "app", None}:
            return
        for node in ast.walk(ast.parse(path.read_text())):
            is_print = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
            assert not is_print, f"{path}: the engine prints"

    def test_asks_the_environment_only_in_app(self, path: Path) -> None:
        if room_of(path) in {"app", None}:
            return
        for node in ast.walk(ast.parse(path.read_text())):
            reads = isinstance(node, ast.Attribute) and node.attr in {"getenv", "argv"}
            assert not reads, f"{path}:{getattr(node, 'lineno', 0)}: only app reads argv and the environment"

    def test_never_sleeps(self, path: Path) -> None:
        for node in ast.walk(ast.parse(path.read_text())):
            is_sleep = isinstance(node, ast.Attribute) and node.attr == "sleep"
            assert not is_sleep, f"{path}:{getattr(node, 'lineno', 0)}: waits are waits"


def functions(tree: ast.AST) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def check_parameters(function: ast.FunctionDef | ast.AsyncFunctionDef, where: str) -> None:
    arguments = function.args
    positional = [a.arg for a in (*arguments.posonlyargs, *arguments.args) if a.arg not in {"self", "cls"}]
    total = len(positional) + len(arguments.kwonlyargs)
    assert total <= MAX_PARAMETERS, f"{where}: {total} parameters"
    protocol_sized = MAX_POSITIONAL + 1  # two, and a callback or token that everyone passes along
    assert len(positional) <= protocol_sized, f"{where}: {len(positional)} positional parameters"


def depth(node: ast.AST) -> int:
    """How deep blocks nest; an `elif` chain counts once."""

    def inner(current: ast.AST, level: int) -> int:
        deepest = level
        for child in ast.iter_child_nodes(current):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
                continue
            is_elif = isinstance(current, ast.If) and isinstance(child, ast.If) and child in current.orelse
            step = 1 if isinstance(child, NESTING) and not is_elif else 0
            deepest = max(deepest, inner(child, level + step))
        return deepest

    return inner(node, 0)


def test_each_room_says_what_it_is_for() -> None:
    for room in ROOMS:
        docstring = ast.get_docstring(ast.parse((SRC / room / "__init__.py").read_text())) or ""
        assert 3 <= len(docstring.splitlines()) <= 6, room


def test_an_init_holds_only_docstring_imports_and_all() -> None:
    for path in SRC.rglob("__init__.py"):
        for node in ast.parse(path.read_text()).body[1:]:
            is_all = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
            assert isinstance(node, ast.Import | ast.ImportFrom) or is_all, f"{path}:{node.lineno}"


def test_no_folder_grows_past_fifteen_files() -> None:
    for folder in (SRC, *(path for path in SRC.rglob("*") if path.is_dir() and path.name != "__pycache__")):
        files = [path for path in folder.glob("*.py") if path.name != "__init__.py"]
        assert len(files) <= MAX_FILES, f"{folder}: {len(files)} files"


def test_every_room_of_the_table_stands_in_the_tree() -> None:
    assert {path.name for path in SRC.iterdir() if (path / "__init__.py").exists()} == set(ROOMS)


def test_catch_alls_stand_only_at_the_five_boundaries() -> None:
    found = [
        str(path.relative_to(SRC))
        for path in modules()
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or ast.unparse(node.type) in {"Exception", "BaseException"})
        and not (isinstance(node.body[-1], ast.Raise) and node.body[-1].exc is None)  # cleans up and lets it go on
        and path != SRC / "system" / "pool.py"  # hands the exception on to whoever waits for the future
    ]
    assert sorted(found) == sorted(set(found)), found
    assert len(found) <= 5, found
