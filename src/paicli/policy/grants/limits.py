"""What no rule `words:*` covers: arguments that make a granted program write, delete, or start something else.

A rule that names such an argument itself covers it, and so does the command word for word.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from paicli.policy.grants.option_names import TOLD_BY_NAME, leads_outside, tells_of_more
from paicli.policy.secret_files import is_secret
from paicli.policy.shell.calls import has_abbreviation
from paicli.policy.shell.words import HOME


class _Limit(NamedTuple):
    letters: str = ""
    """Short options, alone or in a cluster."""
    names: tuple[str, ...] = ()
    """Long options, or a beginning of one. With one dash as well, as go takes them."""
    operand: Callable[[str], bool] | None = None
    """Operands that mean more."""


def _is_forced(refspec: str) -> bool:
    return refspec.startswith(("+", ":"))


def _is_separator(word: str) -> bool:
    return word == "--"


def _drops(word: str) -> bool:
    return word in {"drop", "clear"}


def _changes_remotes(word: str) -> bool:
    return word in {"set-url", "add", "remove", "rm", "rename"}


def _names_secrets(word: str) -> bool:
    return "secret" in word.lower()


def _begins(word: str) -> bool:
    return word == "init"


_DIFFS = _Limit("", ("output", "output-directory", "ext-diff", "textconv", "no-index", "contents"))
_NODE = _Limit("C", ("script-shell", "prefix", "userconfig", "globalconfig", "node-options", "dir", "cwd", "shell",
                     "workspaces-update"))  # fmt: skip
_CARGO = _Limit("CZ", ("config", "manifest-path", "target-dir", "out-dir", "artifact-dir"))
_GO = _Limit("oC", ("exec", "toolexec", "vettool", "overlay", "modfile", "o", "pkgdir", "ldflags", "gccgoflags",
                    "cpuprofile", "memprofile", "trace", "outputdir", "coverprofile", "blockprofile", "gcflags",
                    "asmflags", "compiler", "mod", "fuzz", "args"))  # fmt: skip

_LIMITS: Mapping[tuple[str, ...], _Limit] = {
    ("git",): _Limit("", ("upload-pack", "receive-pack", "exec", "ext-diff", "output", "open-files-in-pager")),
    **dict.fromkeys((("git", "diff"), ("git", "log"), ("git", "show"), ("git", "shortlog"), ("git", "blame")), _DIFFS),
    ("git", "grep"): _Limit("Of", ("open-files-in-pager", "no-index", "untracked", "no-exclude-standard", "ext-grep",
                                   "textconv")),
    ("git", "commit"): _Limit("Ftn", ("no-verify", "amend", "file", "template", "fixup", "reset-author", "date",
                                      "author")),
    ("git", "add"): _Limit("fie", ("force", "edit", "interactive", "pathspec-from-file")),
    ("git", "push"): _Limit("fd", ("force", "force-with-lease", "force-if-includes", "delete", "mirror", "prune",
                                   "all", "repo"), _is_forced),
    ("git", "fetch"): _Limit("fpu", ("force", "prune", "update-head-ok"), _is_forced),
    ("git", "pull"): _Limit("f", ("force",), _is_forced),
    ("git", "rebase"): _Limit("xi", ("exec", "interactive", "root")),
    ("git", "branch"): _Limit("dDmMCcfu", ("delete", "move", "copy", "force", "edit-description", "set-upstream-to")),
    ("git", "tag"): _Limit("dfa", ("delete", "force")),
    ("git", "checkout"): _Limit("fB", ("force", "overlay", "pathspec-from-file"), _is_separator),
    ("git", "switch"): _Limit("fC", ("force", "discard-changes", "force-create")),
    ("git", "stash"): _Limit("", (), _drops),
    ("git", "reset"): _Limit("", ("hard", "merge", "keep")),
    ("git", "remote"): _Limit("", (), _changes_remotes),
    ("git", "config"): _Limit("ef", ("global", "system", "file", "edit")),
    ("git", "clean"): _Limit("xXd", ("exclude",)),
    ("git", "rev-parse"): _Limit("", ("parseopt", "sq-quote")),
    **dict.fromkeys((("npm",), ("pnpm",), ("yarn",), ("bun",)), _NODE),
    ("npx",): _Limit("c", ("call", "package", "shell")),
    ("cargo",): _CARGO,
    ("cargo", "fmt"): _Limit("", ("config-path",)),
    ("go",): _GO,
    ("dotnet",): _Limit("opstar", ("output", "property", "logger", "target", "test-adapter-path", "artifacts-path")),
    ("pytest",): _Limit("pco", ("rootdir", "confcutdir", "basetemp", "override-ini", "pdbcls", "junit-xml", "junitxml",
                                "pastebin", "log-file", "debug", "cache-clear", "import-mode", "pyargs")),
    ("ruff",): _Limit("o", ("config", "output-file", "cache-dir")),
    ("pyright",): _Limit("p", ("pythonpath", "venvpath", "typeshedpath", "project", "createstub")),
    ("mypy",): _Limit("", ("python-executable", "config-file", "install-types", "custom-typing-module", "junit-xml",
                           "html-report", "txt-report", "xml-report", "cache-dir", "shadow-file")),
    ("tsc",): _Limit("p", ("outDir", "outFile", "declarationDir", "project", "tsBuildInfoFile", "init", "build",
                           "generateTrace", "generateCpuProfile", "rootDir", "b")),
    ("eslint",): _Limit("cof", ("config", "rulesdir", "plugin", "resolve-plugins-relative-to", "parser", "output-file",
                               "format", "cache-location", "cache-file", "init")),
    **dict.fromkeys((("jest",), ("vitest",)), _Limit("cur", ("config", "globalSetup", "setupFiles", "outputFile",
                                                           "transform", "runner", "rootDir", "reporters", "filter"),
                                                     _begins)),
    ("ctest",): _Limit("SDOT", ("script", "script-new-process", "build-and-test", "output-log", "output-junit",
                                "build-makeprogram", "test-command", "submit-index")),
    ("flake8",): _Limit("", ("config", "output-file", "append-config")),
    ("pylint",): _Limit("", ("rcfile", "load-plugins", "init-hook", "output")),
    ("rg",): _Limit("fzu.", ("pre", "hostname-bin", "search-zip", "file", "hidden", "unrestricted", "no-ignore",
                             "type-add")),
    ("grep",): _Limit("f", ("file",)),
    ("tree",): _Limit("oR", ("output",)),
    ("file",): _Limit("Cmf", ("compile", "magic-file", "files-from")),
    ("find",): _Limit("", ("delete", "fprint", "fprint0", "fprintf", "fls")),
    ("sort",): _Limit("oT", ("output", "compress-program", "temporary-directory", "files0-from")),
    ("wc",): _Limit("", ("files0-from",)),
    ("du",): _Limit("", ("files0-from",)),
    ("sed",): _Limit("if", ("in-place", "file")),
    ("tar",): _Limit("IFPC", ("to-command", "checkpoint-action", "use-compress-program", "rsh-command", "info-script",
                              "absolute-names", "directory")),
    ("rsync",): _Limit("e", ("rsh", "delete", "remove-source-files")),
    ("curl",): _Limit("oOTKFdX", ("output", "remote-name", "upload-file", "config", "data", "form", "request")),
    ("docker", "compose"): _Limit("f", ("file", "project-directory", "env-file")),
    ("docker",): _Limit("H", ("host", "context", "config")),
    ("kubectl",): _Limit("fs", ("kubeconfig", "server", "token", "filename", "as")),
    **dict.fromkeys((("kubectl", "get"), ("kubectl", "describe")), _Limit(operand=_names_secrets)),
    ("helm",): _Limit("", ("kubeconfig", "post-renderer", "kube-apiserver")),
    ("make",): _Limit("fCI", ("file", "makefile", "directory", "eval", "include-dir")),
    ("terraform",): _Limit("", ("chdir",)),
    ("gh",): _Limit("wq"),
    ("apt",): _Limit("oc"),
    ("systemctl",): _Limit("HM"),
    ("conda",): _Limit("p"),
    ("poetry",): _Limit("C"),
}  # fmt: skip

_RUNNERS_OF_SCRIPTS = frozenset({"npm", "pnpm", "yarn", "bun", "npx"})
"""What stands behind their `--` is the script's."""
_SINGLE_DASHED = frozenset({"go", "find", "tsc", "terraform"})


def goes_beyond(words: Sequence[str], granted: int) -> bool:
    """Whether the words behind the first `granted` ones mean more than a rule for these words says."""
    rest = list(words[granted:])
    if not rest:
        return False
    if any(is_secret(word.replace(HOME, "~")) for word in rest):
        return True
    name = words[0].rsplit("/", 1)[-1]
    if name in TOLD_BY_NAME and _says_more(rest, name):
        return True
    verb = next((word for word in words[1:] if not word.startswith("-")), "")
    limits = [_LIMITS[key] for key in ((name,), (name, verb)) if key in _LIMITS]
    return any(_reaches(limit, rest, name) for limit in limits)


def _says_more(rest: Sequence[str], name: str) -> bool:
    if name in _RUNNERS_OF_SCRIPTS:
        rest = rest[: rest.index("--")] if "--" in rest else rest
    elif any(word.startswith("@") for word in rest):
        return True  # a file with further options
    return leads_outside(rest) or tells_of_more([word for word in rest if word.startswith("-")])


def _reaches(limit: _Limit, rest: Sequence[str], name: str) -> bool:
    end = list(rest).index("--") if "--" in rest else len(rest)
    options = [word for word in rest[:end] if word.startswith("-") and len(word) > 1]
    if name == "dotnet":
        options = [option.replace(":", "=", 1) for option in options]
    operands = [word for word in rest if not word.startswith("-") or word == "--"]
    if limit.operand is not None and any(map(limit.operand, operands)):
        return True
    if name in _SINGLE_DASHED:
        given = {option.lstrip("-").split("=", 1)[0] for option in options}
        return not given.isdisjoint((*limit.names, *limit.letters))
    is_short = any(letter in option[1:] for option in options if option[:2] != "--" for letter in limit.letters)
    return is_short or has_abbreviation(options, limit.names)
