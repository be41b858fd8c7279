"""Options whose own name tells that they write, load, start or reach elsewhere, for tools whose options nobody lists.

A test runner has two hundred options and its plugins bring more; what such an option does stands in its name.
"""

import re
from collections.abc import Sequence

from paicli.policy.shell.words import HOME

TOLD_BY_NAME = frozenset(
    {"pytest", "pyright", "mypy", "tsc", "eslint", "jest", "vitest", "ctest", "flake8", "pylint", "shellcheck", "ruff",
     "cargo", "go", "dotnet", "pip", "pip3", "uv", "poetry", "conda", "apt", "systemctl", "kubectl", "helm", "gh",
     "terraform", "brew", "rustup", "npm", "pnpm", "yarn", "bun", "npx"}
)  # fmt: skip
"""What they run or read is set by options; the others' options are listed in limits."""

_NOUNS = frozenset(
    {"config", "configuration", "conf", "rcfile", "rc", "settings", "setting", "preset", "profile-dir", "file",
     "filename", "output", "out", "outfile", "outdir", "dir", "directory", "folder", "root", "roots", "rootdir", "path",
     "paths", "location", "log", "logfile", "html", "xml", "junit", "dump", "artifacts", "results", "cwd",
     "plugin", "plugins", "loader", "resolver", "transform", "runner", "sequencer", "processor", "extractor", "haste",
     "serializers", "mapper", "environment", "env", "setup", "teardown", "hook", "hooks", "script", "shell",
     "executable", "program", "command", "cmd", "python", "interpreter", "compiler", "linker", "wrapper", "toolexec",
     "editor", "pager", "browser", "web", "ui", "api", "host", "machine", "server", "url", "uri", "proxy", "index",
     "registry", "repository", "token", "password", "cert", "context", "flags", "ldflags", "gcflags", "asmflags",
     "overlay", "pdb", "debugger", "hostname", "kubeconfig", "jq", "template", "property", "properties", "option",
     "coverprofile", "cpuprofile", "memprofile", "snapshot", "snapshots", "baseline", "noqa", "report", "prefix"}
)  # fmt: skip
"""Of a file, a folder, a program, a server."""

_VERBS = frozenset(
    {"exec", "execute", "load", "require", "import", "open", "fix", "write", "update", "upgrade", "install", "init",
     "create", "generate", "delete", "remove", "clear", "prune", "clean", "force", "save", "trace", "raw", "fuzz",
     "export", "edit", "apply", "publish", "upload", "download", "submit", "diag"}
)  # fmt: skip

_HARMLESS = frozenset(
    {"import-map", "show-config", "show-settings", "print-config", "detect-open-handles", "test-path-pattern",
     "test-path-patterns", "test-path-ignore-patterns", "cov-report", "output-format", "show-files", "log-level",
     "log-cli-level", "log-cli", "setup-show", "full-trace", "ignore-path", "show-source"}
)  # fmt: skip
"""Hold such a word and yet only show or choose something; so does what begins with `no-`."""

_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_PART = re.compile(r"[-_.:]+")
_VALUE = re.compile(r"[=:,]")
_ATTACHED = re.compile(r"-[A-Za-z](?=[/~.])")


def tells_of_more(options: Sequence[str]) -> bool:
    """Whether one of them says by its name that it does more than the words before it."""
    return any(_tells(option) for option in options)


def _tells(option: str) -> bool:
    name = re.split("[=:]", option.lstrip("-"), maxsplit=1)[0]
    if len(name) < 2 or (not option.startswith("--") and "-" not in name and len(name) < 4):
        return False  # letters are listed one by one
    parts = [part for part in _PART.split(_HUMP.sub("-", name).lower()) if part]
    whole = "-".join(parts)
    return parts[:1] != ["no"] and whole not in _HARMLESS and not (_NOUNS | _VERBS).isdisjoint((*parts, whole))


def leads_outside(words: Sequence[str]) -> bool:
    """Whether a word, or the value in it, is a path out of the folder, or a file of further options."""
    return any(_leads_outside(piece) for word in words for piece in _pieces(word))


def _pieces(word: str) -> list[str]:
    attached = _ATTACHED.match(word)
    return [*_VALUE.split(word), word[attached.end() :] if attached else word]


def _leads_outside(piece: str) -> bool:
    if piece.startswith(("/", "~", HOME)):
        return True
    return ".." in piece.replace("\\", "/").split("/")
