"""How much of a command "all of this kind" may mean: the words a prefix rule would have, where there is a safe one."""

from collections.abc import Mapping, Sequence

_ALONE = frozenset(
    {"ls", "cat", "head", "tail", "wc", "grep", "rg", "pwd", "diff", "stat", "file", "du", "df", "tree", "pytest",
     "pyright", "mypy", "tsc", "eslint", "ctest", "vitest", "jest", "shellcheck", "flake8", "pylint"}
)  # fmt: skip
"""Programs for which any arguments may be granted at once; what else they can do is in limits.py."""

_NODE_RUNNERS = ("npm", "pnpm", "yarn", "bun")
_NODE_VERBS = frozenset({"test", "t", "ls", "list", "outdated", "view", "why"})

_VERBS: Mapping[str, frozenset[str]] = {
    "git": frozenset({"status", "diff", "log", "show", "blame", "add", "commit", "ls-files", "rev-parse", "describe",
                      "shortlog", "grep"}),
    **dict.fromkeys(_NODE_RUNNERS, _NODE_VERBS),
    "yarn": _NODE_VERBS | {"build", "lint"},
    "cargo": frozenset({"build", "test", "check", "clippy", "fmt", "bench", "doc", "tree"}),
    "go": frozenset({"build", "test", "vet", "fmt", "list", "doc"}),
    "dotnet": frozenset({"build", "test"}),
    "ruff": frozenset({"check", "format"}),
    "pip": frozenset({"list", "show", "check", "freeze"}),
    "pip3": frozenset({"list", "show", "check", "freeze"}),
    "poetry": frozenset({"show", "check"}),
    "docker": frozenset({"ps", "images", "logs", "inspect", "stats", "top"}),
    "kubectl": frozenset({"get", "describe", "logs", "top", "explain"}),
    "helm": frozenset({"list", "status"}),
    "terraform": frozenset({"validate", "fmt", "show"}),
    "brew": frozenset({"list", "info"}),
    "systemctl": frozenset({"status"}),
    "apt": frozenset({"list", "show", "search"}),
    "rustup": frozenset({"show"}),
    "conda": frozenset({"list", "info"}),
}  # fmt: skip
"""Programs whose second word says what they do, with the verbs for which any arguments may be granted."""

_TWO_VERBS: Mapping[tuple[str, str], frozenset[str]] = {
    ("gh", "pr"): frozenset({"list", "view", "diff", "status", "checks"}),
    ("gh", "issue"): frozenset({"list", "view", "status"}),
    ("gh", "run"): frozenset({"list", "view"}),
    ("docker", "compose"): frozenset({"ps", "logs"}),
    ("uv", "pip"): frozenset({"list", "show", "freeze", "check"}),
}
"""Where only the third word says it."""

_NAMED_SCRIPTS = frozenset({"run", "run-script"})
"""`npm run NAME`: the name is part of what is granted."""


def prefix_length(words: Sequence[str]) -> int:
    """How many words a rule `words:*` for this command has; 0: only the command as it stands may be granted."""
    if not words:
        return 0
    if words[0] in _ALONE:
        return 1
    verb = words[1] if len(words) > 1 else ""
    third = words[2] if len(words) > 2 else ""
    if verb in _VERBS.get(words[0], frozenset()):
        return 2
    if third in _TWO_VERBS.get((words[0], verb), frozenset()):
        return 3
    is_script = words[0] in _NODE_RUNNERS and verb in _NAMED_SCRIPTS
    return 3 if is_script and third and not third.startswith("-") else 0
