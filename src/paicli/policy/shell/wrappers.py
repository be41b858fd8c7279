"""Commands that run another command: what is inside `env`, `timeout`, `xargs`, `find -exec`, `sh -c` and their kin."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from paicli.policy.shell.carried import carried_texts, env_variables, is_shell_text, option_values
from paicli.policy.shell.force_push import subcommand_at
from paicli.policy.shell.programs import (
    INTERPRETERS,
    SHELLS,
    Program,
    family,
    interpreter_program,
    joined,
    name_of,
    shell_program,
)
from paicli.policy.shell.words import UNKNOWN, Word


class Inner(NamedTuple):
    """A command inside a command."""

    words: tuple[Word, ...]
    folder: Word | None = None
    """It runs there, where the wrapper changes the folder (`env -C`)."""
    is_remote: bool = False
    takes_input: bool = False
    """Gets further arguments from what the wrapper reads (xargs)."""


class _Shape(NamedTuple):
    """How a wrapper's own arguments end."""

    valued: str = ""
    """Short options that take a value."""
    long_valued: frozenset[str] = frozenset()
    """Long options whose value is a word of its own."""
    operands: int = 0
    """Operands before the inner command."""


def _long(*names: str) -> frozenset[str]:
    return frozenset(f"--{name}" for name in names)


_PREFIXES: dict[str, _Shape] = {
    "nohup": _Shape(),
    "setsid": _Shape(),
    "nice": _Shape("n", _long("adjustment")),
    "ionice": _Shape("cnpPu", _long("class", "classdata")),
    "chrt": _Shape("TPD", operands=1),
    "taskset": _Shape(operands=1),
    "timeout": _Shape("ks", _long("kill-after", "signal"), operands=1),
    "gtimeout": _Shape("ks", _long("kill-after", "signal"), operands=1),
    "time": _Shape("fo", _long("format", "output")),
    "command": _Shape(),
    "builtin": _Shape(),
    "exec": _Shape("a"),
    **dict.fromkeys(("!", "{", "if", "then", "elif", "else", "while", "until", "do"), _Shape()),
    "noglob": _Shape(),
    "nocorrect": _Shape(),
    "stdbuf": _Shape("ioe", _long("input", "output", "error")),
    "unbuffer": _Shape(),
    "chronic": _Shape(),
    "ts": _Shape(),
    "caffeinate": _Shape("tw"),
    "busybox": _Shape(),
    "toybox": _Shape(),
    "fakeroot": _Shape(),
    "proot": _Shape("rbwq"),
    "chroot": _Shape("", _long("userspec", "groups"), operands=1),
    "unshare": _Shape("SG"),
    "nsenter": _Shape("tSG"),
    "prlimit": _Shape("p"),
    "setarch": _Shape(),
    "strace": _Shape("aeoOpsuEPIbX"),
    "ltrace": _Shape("aeoOpsuEPIbX"),
    "systemd-run": _Shape("pEMHu", _long("unit", "property", "slice", "uid", "gid", "description", "setenv")),
    "dbus-run-session": _Shape(),
    "xvfb-run": _Shape("nsefpw"),
    "direnv": _Shape(operands=2),
    "dotenv": _Shape("f", _long("file", "env-file")),
    "valgrind": _Shape(),
    "faketime": _Shape("f", operands=1),
    "setpriv": _Shape("", _long("reuid", "regid", "groups", "inh-caps", "bounding-set", "ambient-caps")),
    "screen": _Shape("ScthpTe"),
    "cgexec": _Shape("g"),
    "numactl": _Shape("CNmipl"),
    "rlwrap": _Shape("cfpsH"),
    "hyperfine": _Shape("wrmMpsSLn", _long("warmup", "runs", "prepare", "setup", "cleanup", "shell")),
    "tsp": _Shape("LN"),
    "dumb-init": _Shape(),
    **dict.fromkeys(
        (
            "ssh-agent",
            "eatmydata",
            "linux32",
            "linux64",
            "firejail",
            "torsocks",
            "torify",
            "proxychains",
            "proxychains4",
            "watchexec",
            "catchsegv",
            "softlimit",
            "setlock",
            "cpulimit",
        ),
        _Shape(),
    ),
    "tini": _Shape("pe"),
    "npx": _Shape("p", _long("package")),
    "bunx": _Shape(),
    "flock": _Shape("wEc", _long("timeout", "wait", "conflict-exit-code"), operands=1),
    "parallel": _Shape("jPnNaIX", _long("jobs", "max-args", "colsep", "delimiter")),
    "xargs": _Shape("aEIJLnPRsdS", _long("arg-file", "delimiter", "max-args", "max-procs", "max-chars", "replace")),
}
_BEFORE_STATEMENTS = frozenset({"time", "!", "coproc", "{", "if", "then", "elif", "else", "while", "until", "do"})
"""Words of the shell itself; the tree takes some of them for programs (`time until …`). Variables may follow."""
_INPUT_TAKERS = frozenset({"xargs", "parallel"})

_RUN_VALUED = _long("with", "with-editable", "with-requirements", "python", "project", "directory", "env-file", "extra",
                    "group", "package", "name", "prefix", "cwd", "filter", "workspace")  # fmt: skip
_RUN = _Shape("pnCw", _RUN_VALUED)
_VERB_RUNNERS: dict[str, frozenset[str]] = {
    **dict.fromkeys(("uv", "poetry", "pipenv", "pdm", "hatch", "rye", "conda", "mamba", "micromamba", "dotenvx", "op",
                     "pixi"), frozenset({"run"})),
    **dict.fromkeys(("bundle", "asdf", "rbenv", "pyenv", "nodenv"), frozenset({"exec"})),
    **dict.fromkeys(("npm", "pnpm", "yarn", "mise"), frozenset({"exec", "x", "dlx"})),
    "bun": frozenset({"x"}),
    "perf": frozenset({"record", "stat", "trace"}),
}  # fmt: skip
"""Programs that run what stands behind one of these verbs."""

PRIVILEGED = frozenset(
    {"sudo", "sudo-rs", "su", "doas", "pkexec", "run0", "sudoedit", "gosu", "su-exec", "runuser", "calife", "please"}
)

_ENV = _Shape("uCS", _long("unset", "chdir", "split-string"))


def inner_commands(words: Sequence[Word]) -> list[Inner]:
    """The commands `words` would start itself; empty for a command that wraps nothing."""
    name = name_of(words)
    special = _SPECIAL.get(name)
    if special is not None:
        return special(words)
    if name in _VERB_RUNNERS:
        return _behind_verb(name, words)
    shape = _PREFIXES.get(name)
    if shape is None:
        return []
    start = _after_options(words, shape) + shape.operands
    if name in _BEFORE_STATEMENTS:
        start += len(env_variables(words[start:]))
    if name in {"command", "type"} and any(word.text in {"-v", "-V"} for word in words[1:start]):
        return []
    inner = tuple(words[start:])
    return [Inner(inner, takes_input=name in _INPUT_TAKERS)] if inner else []


def shell_texts(words: Sequence[Word]) -> list[Program]:
    """Code `words` would have run: by a shell, an interpreter, `eval`, `source`, `trap`, `alias`, `watch`."""
    return [*_own_texts(words), *carried_texts(words)]


def _own_texts(words: Sequence[Word]) -> list[Program]:
    name = family(name_of(words))
    if name in SHELLS:
        return [shell_program(name, words)]
    if name in INTERPRETERS:
        return interpreter_program(name, words)
    if name == "eval" and len(words) > 1:
        return [Program(name, text=joined(words[1:]))]
    if name in {"source", "."} and len(words) > 1:
        return [Program(name, file=words[1])]
    if name == "trap" and len(words) > 2:
        operands = words[2:] if words[1].text == "--" else words[1:]
        return [Program(name, text=operands[0])]
    if name in _CODE_PROGRAMS:
        return _foreign_programs(name, words)
    if name in {"at", "batch"}:
        return _queued_program(name, words)
    if name == "alias":
        return [
            Program(name, text=word._replace(text=word.text.partition("=")[2]))
            for word in words[1:]
            if "=" in word.text
        ]
    if name == "parallel" and _after_options(words, _PREFIXES["parallel"]) >= len(words):
        return [Program(name)]  # each line of its input is a command
    if name in {"watch", "entr"}:
        rest = words[_after_options(words, _Shape("n", _long("interval"))) :]
        return [Program(name, text=joined(rest))] if rest else []
    return []


_CODE_PROGRAMS: dict[str, tuple[tuple[str, ...], tuple[str, ...], str]] = {
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), (("-e", "--source"), ("-f", "--file"), "Fvf")),
    **dict.fromkeys(("sed", "gsed"), (("-e", "--expression"), ("-f", "--file"), "efl")),
    **dict.fromkeys(("emacs", "emacsclient"), (("--eval", "--execute", "-e"), ("-l", "--load"), "efl")),
}  # fmt: skip
"""Programs with a language of their own: options with code, options with a file of code, valued letters."""


def _foreign_programs(name: str, words: Sequence[Word]) -> list[Program]:
    """Code in its options, else in the first operand (which emacs has for a file)."""
    codes, files, valued = _CODE_PROGRAMS[name]
    given = list(option_values(words, codes))
    if not given and not any(option_values(words, files)) and not name.startswith("emacs"):
        given = list(words[_after_options(words, _Shape(valued)) :][:1])
    read = [Program(name, file=word, is_shell=False) for word in option_values(words, files)]
    return [*(Program(name, text=word, is_shell=False) for word in given), *read]


def _queued_program(name: str, words: Sequence[Word]) -> list[Program]:
    """`at now` reads what it will run from its input or from a file."""
    options = [word.text for word in words[1:]]
    if any(option in {"-l", "-r", "-d", "-c", "-V"} for option in options):
        return []
    files = [words[place + 1] for place, word in enumerate(words[:-1]) if word.text == "-f"]
    return [Program(name, file=files[0] if files else None)]


def _after_options(words: Sequence[Word], shape: _Shape) -> int:
    """The place of the first operand."""
    at = 1
    while at < len(words):
        text = words[at].text
        if text == "--":
            return at + 1
        if not text.startswith("-") or text == "-":
            return at
        if text.startswith("--"):
            at += 2 if text in shape.long_valued else 1
        else:
            at += 2 if _ends_with_valued(text, shape.valued) else 1
    return at


def _ends_with_valued(cluster: str, valued: str) -> bool:
    """Whether the value of an option in `-abc` is the next word: the first valued letter is the last one."""
    first = next((place for place, letter in enumerate(cluster[1:], 1) if letter in valued), None)
    return first == len(cluster) - 1


def _in_env(words: Sequence[Word]) -> list[Inner]:
    """What follows the options and variables; `-S TEXT` is a text (see carried_texts)."""
    at = _after_options(words, _ENV)
    folder: Word | None = None
    for place, word in enumerate(words[1:at], 1):
        text = word.text
        if text in {"-C", "--chdir"}:
            folder = words[place + 1] if place + 1 < len(words) else Word("")
        elif text.startswith(("--chdir=", "-C")):
            folder = word._replace(text=text.removeprefix("--chdir=").removeprefix("-C"))
    at += len(env_variables(words[at:]))
    inner = tuple(words[at:])
    return [Inner(inner, folder)] if inner else []


def _in_find(words: Sequence[Word]) -> list[Inner]:
    """`-exec … ;`, with `{}` below the first searched folder."""
    found: list[Inner] = []
    at = 0
    while at < len(words):
        if words[at].text not in {"-exec", "-execdir", "-ok", "-okdir"}:
            at += 1
            continue
        end = next((e for e in range(at + 1, len(words)) if words[e].text in {";", "+"}), len(words))
        found.append(Inner(tuple(_placed(word) for word in words[at + 1 : end])))
        at = end + 1
    return [inner for inner in found if inner.words]


def _placed(word: Word) -> Word:
    return word._replace(text=word.text.replace("{}", f"./found{UNKNOWN}"))


def _in_fd(words: Sequence[Word]) -> list[Inner]:
    at = next((a for a, word in enumerate(words) if word.text in {"-x", "-X", "--exec", "--exec-batch"}), len(words))
    inner = tuple(_placed(word) for word in words[at + 1 :])
    return [Inner(inner)] if inner else []


def _in_coproc(words: Sequence[Word]) -> list[Inner]:
    rest = list(words[1:])
    if len(rest) > 1 and rest[1].text == "{":
        rest = rest[1:]
    if rest and rest[0].text == "{":
        rest = rest[1:]
    return [Inner(tuple(rest))] if rest else []


_SSH = _Shape("BbcDEeFIiJLlmOopQRSWw")


def _in_ssh(words: Sequence[Word]) -> list[Inner]:
    """What runs there: the words behind the host, or what a shell there reads from the input."""
    at = _after_options(words, _SSH)
    rest = words[at + 1 :]
    if rest and rest[0].text == "--":
        rest = rest[1:]
    if rest:
        return [Inner((Word("eval"), joined(rest)), is_remote=True)]
    return [Inner((Word("sh"),), is_remote=True)] if at < len(words) else []


def _behind_verb(name: str, words: Sequence[Word]) -> list[Inner]:
    at = next((at for at, word in enumerate(words) if at and word.text in _VERB_RUNNERS[name]), len(words))
    if any(not word.text.startswith("-") and words[place].text not in _RUN_VALUED
           for place, word in enumerate(words[1:at])):  # fmt: skip
        return []
    inner = tuple(words[at:][_after_options(words[at:], _RUN) :])
    return [Inner(inner)] if inner else []


def _in_script(words: Sequence[Word]) -> list[Inner]:
    """BSD's form: `script [-q] FILE COMMAND …`."""
    rest = words[_after_options(words, _Shape("cEIOoBTm", _long("command"))) + 1 :]
    return [Inner(tuple(rest))] if rest else []


def _in_git(words: Sequence[Word]) -> list[Inner]:
    rest = words[subcommand_at(words) :]
    if [word.text for word in rest[:2]] == ["bisect", "run"] and len(rest) > 2:
        return [Inner(tuple(rest[2:]))]
    return []


def _in_parallel(words: Sequence[Word]) -> list[Inner]:
    """Without `:::` and as separate words; else it is a text (see carried_texts)."""
    inner = tuple(words[_after_options(words, _PREFIXES["parallel"]) :])
    is_text = not inner or is_shell_text(inner[0]) or any(word.text.startswith(":::") for word in inner)
    return [] if is_text else [Inner(inner, takes_input=True)]


def _in_terminal(words: Sequence[Word]) -> list[Inner]:
    """What stands behind `-e` or `--`: a command in words, or as one text."""
    at = next((at for at, word in enumerate(words) if word.text in {"-e", "-x", "--"}), len(words))
    rest = words[at + 1 :]
    return [Inner((Word("eval"), joined(rest)))] if rest else []


def _in_cmake(words: Sequence[Word]) -> list[Inner]:
    """`cmake -E rm -rf PATH`: tools of its own that do what their namesakes do."""
    at = next((at for at, word in enumerate(words) if word.text == "-E"), len(words))
    verb, rest = (words[at + 1].text, words[at + 2 :]) if at + 1 < len(words) else ("", ())
    if verb in {"rm", "remove", "remove_directory"}:
        return [Inner((Word("rm"), Word("-rf"), *rest))]
    return [Inner((Word(verb), *rest))] if verb in {"env", "time", "cat"} else []


def _in_gdb(words: Sequence[Word]) -> list[Inner]:
    at = next((at for at, word in enumerate(words) if word.text in {"--args", "-args", "--"}), len(words))
    return [Inner(tuple(words[at + 1 :]))] if words[at + 1 :] else []


_SPECIAL: dict[str, Callable[[Sequence[Word]], list[Inner]]] = {
    "env": _in_env,
    "find": _in_find,
    "fd": _in_fd,
    "fdfind": _in_fd,
    "coproc": _in_coproc,
    "ssh": _in_ssh,
    "script": _in_script,
    "git": _in_git,
    "parallel": _in_parallel,
    **dict.fromkeys(
        (
            "xterm",
            "uxterm",
            "urxvt",
            "rxvt",
            "konsole",
            "gnome-terminal",
            "xfce4-terminal",
            "mate-terminal",
            "foot",
            "lxterminal",
            "alacritty",
            "kitty",
            "terminator",
            "tilix",
            "x-terminal-emulator",
            "st",
        ),
        _in_terminal,
    ),
    "cmake": _in_cmake,
    "gdb": _in_gdb,
    "lldb": _in_gdb,
}
