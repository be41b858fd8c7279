"""Shell texts that programs carry in an option, an operand or a variable: `rsync -e`, `git -c alias.x=!…`, `PAGER=`."""

from collections.abc import Callable, Iterator, Sequence

from paicli.policy.shell.force_push import subcommand_at
from paicli.policy.shell.hidden.tool_scripts import shell_texts_in, speaks_a_language
from paicli.policy.shell.programs import Program, joined, name_of
from paicli.policy.shell.words import UNKNOWN, Word

_TEXT_OPTIONS: dict[str, tuple[str, ...]] = {
    "script": ("-c", "--command"),
    "flock": ("-c", "--command"),
    "nix-shell": ("--run", "--command"),
    "npx": ("-c", "--call"),
    "npm": ("-c", "--call"),
    "nodemon": ("-x", "--exec"),
    "tar": ("-I", "-F", "--use-compress-program", "--to-command", "--checkpoint-action", "--info-script",
            "--new-volume-script", "--rsh-command"),
    "bsdtar": ("--use-compress-program",),
    "rsync": ("-e", "--rsh"),
    "scp": ("-S",),
    "sftp": ("-S",),
    "man": ("-P", "--pager"),
    "zip": ("-TT", "--unzip-command"),
    "rg": ("--pre", "--hostname-bin"),
    "ag": ("--pager",),
    "bat": ("--pager",),
    "sort": ("--compress-program",),
    "split": ("--filter",),
    "entr": ("-s",),
    "fzf": ("--preview", "--bind"),
    "vim": ("-c", "--cmd"),
    "nvim": ("-c", "--cmd"),
    "vi": ("-c",),
    "ex": ("-c",),
    "gdb": ("-ex", "-iex", "--ex", "--eval-command"),
    "lldb": ("-o", "-O", "--one-line"),
    "expect": ("-c",),
    "sg": ("-c",),
    "watchexec": ("-e",),
    "mysql": ("-e", "--execute"),
    "psql": ("-c", "--command"),
}  # fmt: skip
_SCRIPTED = frozenset({"vim", "nvim", "vi", "ex", "gdb", "lldb"})
"""Their scripts call programs in other ways too: `call system(…)`, `python os.system(…)`."""
_SSH_FAMILY = frozenset({"ssh", "scp", "sftp"})
_SSH_COMMAND_SETTINGS = ("proxycommand=", "localcommand=", "knownhostscommand=")

_TMUX_STARTERS = frozenset(
    {"new", "new-session", "neww", "new-window", "splitw", "split-window", "respawnp", "respawn-pane", "respawnw",
     "respawn-window", "run", "run-shell", "if", "if-shell", "popup", "display-popup", "pipe-pane", "pipep"}
)  # fmt: skip
_TMUX_VALUED = frozenset({"-s", "-n", "-c", "-t", "-x", "-y", "-F", "-e", "-f", "-h", "-w", "-L", "-S"})
_TMUX_KEYS = frozenset({"Enter", "C-m", "KPEnter", "C-j"})

_GIT_TEXT_KEYS = frozenset(
    {"core.pager", "core.editor", "core.sshcommand", "core.askpass", "core.fsmonitor", "core.gitproxy",
     "sequence.editor", "diff.external", "gpg.program", "interactive.difffilter", "web.browser", "sendemail.smtpserver",
     "uploadpack.packobjectshook"}
)  # fmt: skip
_GIT_TEXT_ENDINGS = (".textconv", ".clean", ".smudge", ".process", ".cmd", ".driver", ".command", ".program")
_GIT_BOOLEANS = frozenset({"true", "false", "yes", "no", "on", "off", "0", "1", ""})
_GIT_VERB_OPTIONS: dict[str, tuple[str, ...]] = {
    "rebase": ("-x", "--exec"),
    "filter-branch": ("--tree-filter", "--index-filter", "--env-filter", "--msg-filter", "--parent-filter",
                      "--commit-filter", "--tag-name-filter", "--setup"),
    "difftool": ("-x", "--extcmd"),
    "grep": ("-O", "--open-files-in-pager"),
    "clone": ("-u", "--upload-pack"),
    "fetch": ("--upload-pack",),
    "pull": ("--upload-pack",),
    "ls-remote": ("--upload-pack", "--exec"),
    "push": ("--receive-pack", "--exec"),
    "archive": ("--exec",),
}  # fmt: skip
_GIT_CONFIG_ACTIONS = frozenset({"set", "--add", "--replace-all"})

_TEXT_VARIABLES = frozenset(
    {"GIT_SSH_COMMAND", "GIT_SSH", "GIT_PROXY_COMMAND", "GIT_EXTERNAL_DIFF", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR",
     "GIT_PAGER", "GIT_ASKPASS", "SSH_ASKPASS", "SUDO_ASKPASS", "EDITOR", "VISUAL", "FCEDIT", "PAGER", "MANPAGER",
     "SYSTEMD_PAGER", "BAT_PAGER", "DELTA_PAGER", "LESSOPEN", "LESSCLOSE", "BROWSER", "PROMPT_COMMAND", "CVS_RSH",
     "RSYNC_RSH", "HGEDITOR", "SVN_EDITOR", "SVN_SSH", "TAR_OPTIONS", "RUSTC_WRAPPER", "CC_WRAPPER", "SHELL"}
)  # fmt: skip
LOADING_VARIABLES = frozenset(
    {"LD_PRELOAD", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "BASH_ENV", "ENV", "ZDOTDIR", "PYTHONSTARTUP", "PERL5OPT",
     "PERL5DB", "RUBYOPT", "NODE_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "GIT_EXEC_PATH", "GIT_TEMPLATE_DIR",
     "GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_COUNT", "GIT_CONFIG_PARAMETERS", "PYTHONHOME",
     "BASHOPTS", "SHELLOPTS", "PS4", "IFS"}
)  # fmt: skip
"""Variables that load code from elsewhere or change how the shell reads what follows."""
_HARMLESS_LOADS = ("--max-old-space-size", "--no-warnings", "--openssl-legacy-provider", "--enable-source-maps",
                   "--experimental-", "--trace-", "-Xmx", "-Xms", "-D")  # fmt: skip


def carried_texts(words: Sequence[Word]) -> list[Program]:
    """The shell texts in the call's options and operands; empty for a program that carries none."""
    name = name_of(words)
    found = list(option_values(words, _TEXT_OPTIONS.get(name, ())))
    special = _SPECIAL.get(name)
    if special is not None:
        found.extend(special(words))
    if name in _SSH_FAMILY:
        found.extend(_ssh_settings(words))
    scripted = list(found) if name in _SCRIPTED else []
    if speaks_a_language(name):
        found = [each for word in (*found, *words[1:]) for each in shell_texts_in(name, word)]
    programs = [Program(name, text=_without_action(word)) for word in found if word.text.strip()]
    return [*programs, *(Program(name, text=word, is_shell=False) for word in scripted)]


def variable_text(name: str, value: Word) -> Word | None:
    """The command a variable holds for the programs that read it, None where it holds none."""
    return value if name in _TEXT_VARIABLES and value.text.strip() and value.is_known else None


def changes_what_runs(name: str, value: Word) -> bool:
    """Whether with this variable other code runs than the words say."""
    if name == "PATH":
        return not value.text.strip() or UNKNOWN not in value.text
    if name == "IFS":
        return bool(value.text.strip())
    if name.startswith("BASH_FUNC_"):  # a function that bash takes from its environment
        return True
    if name in _TEXT_VARIABLES:
        return not value.is_known
    if name not in LOADING_VARIABLES:
        return False
    fields = value.text.split()
    return bool(fields) and not all(field.startswith(_HARMLESS_LOADS) for field in fields)


def env_variables(words: Sequence[Word]) -> list[Word]:
    """The `NAME=value` words at the beginning, with the lone `-` that env takes among them."""
    end = next((at for at, word in enumerate(words) if not _is_variable(word)), len(words))
    return list(words[:end])


def _is_variable(word: Word) -> bool:
    return word.text == "-" or "=" in word.text.split("/")[0]


def _env(words: Sequence[Word]) -> list[Word]:
    """`env -S TEXT REST`: env itself splits the text, and knows less than a shell; read as a shell's all the same."""
    splits = list(option_values(words, ("-S", "--split-string")))
    if not splits:
        return []
    at = max(place for place, word in enumerate(words) if word is splits[-1] or splits[-1].text in word.text)
    return [joined([*splits, *words[at + 1 :]])]


def option_values(words: Sequence[Word], options: Sequence[str]) -> Iterator[Word]:
    """`-o X`, `-oX`, `-abo X`, `--option X`, `--option=X`, and `--opt=X` where a beginning is enough."""
    if not options:
        return
    for place, word in enumerate(words[1:], 1):
        text = word.text
        if text == "--":
            return
        following = words[place + 1] if place + 1 < len(words) else None
        for option in options:
            attached = _attached(text, option)
            if attached is not None:
                yield word._replace(text=attached)
            elif following is not None and _expects_value(text, option):
                yield following


def _attached(text: str, option: str) -> str | None:
    if option.startswith("--"):
        given, equals, value = text.partition("=")
        return value if equals and len(given) > 3 and option.startswith(given) else None
    is_letter = len(option) == 2
    return text[2:] if is_letter and text.startswith(option) and len(text) > 2 else None


def _expects_value(text: str, option: str) -> bool:
    if option.startswith("--"):
        return len(text) > 3 and text.startswith("--") and option.startswith(text)
    is_cluster = len(option) == 2 and len(text) > 2 and text[0] == "-" and text[1] != "-" and text[1:].isalpha()
    return text == option or (is_cluster and text.endswith(option[1]))


def _without_action(word: Word) -> Word:
    return word._replace(text=word.text.removeprefix("exec=").replace("%h", "h").replace("%p", "1"))


def _ssh_settings(words: Sequence[Word]) -> Iterator[Word]:
    for value in option_values(words, ("-o",)):
        setting = value.text.replace(" ", "=", 1) if "=" not in value.text.split(" ")[0] else value.text
        lead = next((each for each in _SSH_COMMAND_SETTINGS if setting.lower().startswith(each)), None)
        if lead is not None:
            yield value._replace(text=setting[len(lead) :])


def _tmux(words: Sequence[Word]) -> list[Word]:
    at = next((at for at, word in enumerate(words) if at and not word.text.startswith("-")), len(words))
    while at < len(words) and words[at - 1].text in _TMUX_VALUED:
        at += 1
    verb, rest = (words[at].text, words[at + 1 :]) if at < len(words) else ("", ())
    operands = [
        word
        for place, word in enumerate(rest)
        if not word.text.startswith("-") and (place == 0 or rest[place - 1].text not in _TMUX_VALUED)
    ]
    if verb in {"send", "send-keys"}:
        return [joined([word for word in operands if word.text not in _TMUX_KEYS])]
    return [joined(operands)] if verb in _TMUX_STARTERS and operands else []


_PARALLEL_MARKS = frozenset({":::", ":::+", "::::"})
_PARALLEL_VALUED = frozenset({"-j", "-P", "-n", "-N", "-a", "-I", "-X", "--jobs", "--max-args", "--colsep", "--joblog"})


def is_shell_text(word: Word) -> bool:
    """Whether a shell would read more in it than one plain word."""
    return any(sign in word.text for sign in " \t\n\\'\"$`;|&<>(){}")


def _parallel(words: Sequence[Word]) -> list[Word]:
    """`parallel TEXT {} ::: A B`: the text with each of the arguments; without `:::` one of a single word."""
    end = next((at for at, word in enumerate(words) if word.text in _PARALLEL_MARKS), len(words))
    at = 1
    while at < end and words[at].text.startswith("-"):
        at += 2 if words[at].text in _PARALLEL_VALUED else 1
    head = words[at:end]
    if not head or (end == len(words) and not is_shell_text(head[0])):
        return []
    text = joined(head)
    arguments = [word.text for word in words[end + 1 :]][:8] or [UNKNOWN]
    return [
        text._replace(text=text.text.replace("{}", argument) if "{}" in text.text else f"{text.text} {argument}")
        for argument in arguments
    ]


def _operands_as_texts(words: Sequence[Word]) -> list[Word]:
    return [word for word in words[1:] if not word.text.startswith("-")]


def _git(words: Sequence[Word]) -> list[Word]:
    at = subcommand_at(words)
    own = words[1:at]
    found = [text for place, word in enumerate(own[:-1]) if word.text == "-c" for text in _git_setting(own[place + 1])]
    verb, rest = (words[at].text, words[at:]) if at < len(words) else ("", ())
    found.extend(option_values(rest, _GIT_VERB_OPTIONS.get(verb, ())))
    found.extend(word._replace(text=word.text[5:]) for word in rest[1:] if word.text.startswith("ext::"))
    operands = [word for word in rest[1:] if not word.text.startswith("-") and word.text not in _GIT_CONFIG_ACTIONS]
    if verb == "config" and len(operands) > 1:
        key, value = operands[0], operands[1]
        found.extend(_git_setting(value._replace(text=f"{key.text}={value.text}")))
    if verb == "submodule" and operands[:1] and operands[0].text == "foreach":
        found.append(joined(operands[1:]))
    return found


def _git_setting(setting: Word) -> Iterator[Word]:
    """The command in `key=value`, where git would start one."""
    key, _, value = setting.text.partition("=")
    key = key.lower()
    if key.startswith("alias."):
        yield setting._replace(text=value[1:] if value.startswith("!") else f"git {value}")
    elif key == "credential.helper" or (key.startswith("credential.") and key.endswith(".helper")):
        if value.startswith("!"):
            yield setting._replace(text=value[1:])
    elif value.lower() not in _GIT_BOOLEANS and (
        key in _GIT_TEXT_KEYS or key.endswith(_GIT_TEXT_ENDINGS) or key.startswith("pager.")
    ):
        yield setting._replace(text=value)


_MAKE_PROGRAMS = frozenset(
    {"CC", "CXX", "LD", "AR", "AS", "FC", "RM", "MAKE", "SHELL", "INSTALL", "PYTHON", "NODE", "PYTEST", "CMD"}
)


def _make(words: Sequence[Word]) -> list[Word]:
    """Variables that name a program of its recipes, and the texts of `--eval`."""
    evaluated = [text for word in option_values(words, ("--eval",)) for text in shell_texts_in("make", word)]
    programs = [
        word._replace(text=value)
        for word in words[1:]
        for name, equals, value in [word.text.partition("=")]
        if equals and name in _MAKE_PROGRAMS and " " in value
    ]
    return [*evaluated, *programs]


def _socat(words: Sequence[Word]) -> list[Word]:
    """`EXEC:TEXT` and `SYSTEM:TEXT`."""
    pairs = [(word, *word.text.partition(":")) for word in words[1:]]
    return [word._replace(text=text) for word, kind, _, text in pairs if kind.upper() in {"EXEC", "SYSTEM", "SHELL"}]


_SPECIAL: dict[str, Callable[[Sequence[Word]], list[Word]]] = {
    "env": _env,
    **dict.fromkeys(("make", "gmake"), _make),
    "socat": _socat,
    "git": _git,
    "tmux": _tmux,
    "parallel": _parallel,
    "concurrently": _operands_as_texts,
    "hyperfine": _operands_as_texts,
}
