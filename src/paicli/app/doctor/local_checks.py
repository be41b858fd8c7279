"""What can be looked at without the network. Nothing is written, and no program of the project is run (C81)."""

import os
import platform
import re
import shutil
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

from paicli.app.config.config_file import ConfigFile
from paicli.app.config.environment import wants_color
from paicli.app.doctor.subject import Subject, bad, ok, warn
from paicli.app.trust.project_trust import ProjectTrust
from paicli.core.faults import Finding, Verdict
from paicli.tools.search.ripgrep import find_ripgrep
from paicli.version import VERSION

_NARROW = 40
_MARKS_PASTES = re.compile(
    r"(xterm|screen|tmux|rxvt|alacritty|kitty|foot|wezterm|ghostty|iterm|vte|konsole|st|gnome|putty|contour|rio)([-.].*)?"
)
"""Terminals, by TERM, that mark what is pasted."""
_OPEN = stat.S_IRWXG | stat.S_IRWXO


def check_program() -> Iterator[Finding]:
    yield ok("doctor.version", version=VERSION)
    yield ok("doctor.python", version=platform.python_version())


def check_home(home: Path) -> Finding:
    try:
        mode = home.stat().st_mode
    except FileNotFoundError:
        above = next(folder for folder in home.parents if folder.exists())
        is_possible = above.is_dir() and os.access(above, os.W_OK | os.X_OK)
        return ok("doctor.home_new", path=home) if is_possible else bad("doctor.home_unwritable", path=home)
    except OSError:
        return bad("doctor.home_unwritable", path=home)
    if not stat.S_ISDIR(mode) or not os.access(home, os.W_OK | os.X_OK):
        return bad("doctor.home_unwritable", path=home)
    if mode & _OPEN:
        return warn("doctor.home_open", path=home, mode=f"{stat.S_IMODE(mode):o}")
    return ok("doctor.home", path=home)


def check_config(config: ConfigFile) -> Iterator[Finding]:
    """Of a file that could be read: unknown keys, and who else may read its keys."""
    for warning in config.warnings:
        yield Finding(Verdict.WARN, warning)
    try:
        mode = config.path.stat().st_mode
    except OSError:
        yield ok("doctor.config_none")
        return
    has_key = any(name.endswith(".api_key") for name in config.values)
    if has_key and mode & _OPEN:
        yield warn("doctor.config_open", path=config.path, mode=f"{stat.S_IMODE(mode):o}")
    else:
        yield ok("doctor.config", path=config.path)


def check_trust(trust: ProjectTrust) -> Iterator[Finding]:
    """Of a folder that brings files: whether they are used."""
    if trust.ignored:
        yield warn("doctor.trust_none", names=", ".join(trust.ignored))
    elif trust.files:
        yield ok("doctor.trust", path=trust.root)
    for warning in (warning for file in trust.layers for warning in file.warnings):
        yield Finding(Verdict.WARN, warning)


def check_programs(subject: Subject) -> Iterator[Finding]:
    """git, ripgrep, the sandbox tool: found on the PATH, not run."""
    path = subject.environ.get("PATH", os.defpath)
    git = shutil.which("git", path=path)
    yield ok("doctor.git", path=git) if git else warn("doctor.git_none")
    ripgrep = find_ripgrep(subject.project_root)
    yield ok("doctor.rg", path=ripgrep) if ripgrep else warn("doctor.rg_none")
    name = "sandbox-exec" if sys.platform == "darwin" else "bwrap"
    sandbox = shutil.which(name, path=path)
    yield ok("doctor.sandbox", path=sandbox) if sandbox else warn("doctor.sandbox_none", name=name)


def check_terminal(subject: Subject) -> Iterator[Finding]:
    environ, terminal = subject.environ, subject.terminal
    term = environ.get("TERM", "") or "dumb"
    if not terminal.is_terminal or term == "dumb":
        yield ok("doctor.terminal_none")
    else:
        check = warn if 0 < terminal.columns < _NARROW else ok
        code = "doctor.terminal_narrow" if check is warn else "doctor.terminal"
        yield check(code, term=term, columns=terminal.columns)
        yield _check_colors(subject)
        is_marking = _MARKS_PASTES.fullmatch(term) is not None
        yield ok("doctor.paste") if is_marking else warn("doctor.paste_unknown", term=term)
    is_unicode = terminal.encoding.replace("-", "").replace("_", "").startswith("utf")
    yield (ok if is_unicode else warn)(
        "doctor.encoding" if is_unicode else "doctor.encoding_wrong", encoding=terminal.encoding
    )


def _check_colors(subject: Subject) -> Finding:
    environ = subject.environ
    if not wants_color(environ):
        return ok("doctor.colors_none", reason="NO_COLOR" if environ.get("NO_COLOR") else "TERM")
    if environ.get("COLORTERM", "").lower() in {"truecolor", "24bit"}:
        return ok("doctor.colors", colors="24 bit")
    return ok("doctor.colors", colors="256" if "256color" in environ.get("TERM", "") else "16")
