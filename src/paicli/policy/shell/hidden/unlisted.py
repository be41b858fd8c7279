"""Programs nobody listed: one of them may run what its arguments name, so a command that reads as one is looked at.

`torsocks sudo id`, `kubectl exec pod -- rm -rf /`, `someshell -c "rm -rf ~"`: no list of wrappers is ever whole.
"""

from collections.abc import Iterator, Sequence

from paicli.policy.shell.programs import INTERPRETERS, SHELLS, name_of
from paicli.policy.shell.words import UNKNOWN, Word
from paicli.policy.shell.wrappers import PRIVILEGED

_TAKES_NAMES_OR_TEXT = frozenset(
    {"echo", "printf", "cat", "ls", "grep", "egrep", "fgrep", "rg", "ag", "ack", "sed", "gsed", "awk", "gawk", "mawk",
     "nawk", "jq", "yq", "test", "[", "[[", "head", "tail", "wc", "sort", "uniq", "cut", "tr", "tee", "diff", "cmp",
     "find", "fd", "fdfind", "touch", "mkdir", "rm", "rmdir", "cp", "mv", "ln", "stat", "file", "which", "whereis",
     "type", "hash", "man", "info", "apropos", "whatis", "tldr", "help", "alias", "unalias", "export", "declare",
     "typeset", "local", "readonly", "set", "unset", "read", "cd", "pushd", "true", "false", ":", "basename",
     "dirname", "expr", "command", "builtin", "compgen", "complete", "ps", "pgrep", "pkill", "kill", "killall", "id",
     "groups", "getent", "chmod", "chown", "chgrp", "git", "gh", "glab", "hub", "svn", "hg", "tar", "zip", "unzip",
     "apt", "apt-get", "apt-cache", "aptitude", "dpkg", "dnf", "yum", "rpm", "pacman", "apk", "brew", "snap", "zypper",
     "port", "choco", "scoop", "winget", "pip", "pip3", "npm", "pnpm", "yarn", "bun", "uv", "poetry", "pdm", "pipx",
     "cargo", "gem", "go", "conda", "mamba", "bundle", "composer", "systemctl", "service", "journalctl", "loginctl",
     "make", "gmake", "cmake", "ninja", "vim", "nvim", "vi", "ex", "ed", "nano", "emacs", "code", "less", "more", "bat",
     "psql", "mysql", "mariadb", "sqlite3", "gdb", "lldb", "expect", "curl", "wget", "http", "https", "xh", "logger",
     "notify-send", "say", "tmux", "crontab", "ssh-keygen", "shellcheck", "shfmt", "bats", "pytest", "mypy", "ruff",
     "eslint", "prettier", "for", "case", "select", "function", "eval", "source", ".", "trap"}
)  # fmt: skip
"""Their words are names, patterns, messages or paths; or what they run is read elsewhere."""

_MOST_TEXTS = 6
_LEADS = PRIVILEGED | SHELLS | frozenset(
    {"rm", "shred", "chmod", "chown", "dd", "find", "env", "busybox", "xargs"}
)  # fmt: skip


def hidden_commands(words: Sequence[Word]) -> Iterator[Sequence[Word]]:
    """What would be a command of its own if the program started it; nothing for programs that are known."""
    if not _is_unlisted(words):
        return
    for at, word in enumerate(words[1:-1], 1):  # alone it is a verb or a name: `vagrant halt`, `brewx sudo`
        if word.text.rsplit("/", 1)[-1] in _LEADS:
            yield words[at:]


def hidden_texts(words: Sequence[Word]) -> Iterator[Word]:
    """Words of several words: shell texts or code, if the program takes such."""
    if not _is_unlisted(words):
        return
    texts = [word for word in words[1:] if " " in word.text.strip() and UNKNOWN not in word.text]
    yield from texts[:_MOST_TEXTS]


def _is_unlisted(words: Sequence[Word]) -> bool:
    name = name_of(words)
    return bool(name) and name not in _TAKES_NAMES_OR_TEXT and name not in SHELLS and name not in INTERPRETERS
