"""What a person should know of a command before they allow it: simple facts, read off the parsed text."""

from collections.abc import Iterator, Sequence
from enum import StrEnum

from paicli.policy.command_rules import calls_in, texts_in
from paicli.policy.shell.calls import has_abbreviation
from paicli.policy.shell.force_push import subcommand_at
from paicli.policy.shell.script import Script, SimpleCommand, parse
from paicli.policy.shell.source import Unparsable
from paicli.policy.shell.words import UNKNOWN, Word
from paicli.policy.shell.wrappers import name_of

_MOST_NESTED = 8


class CommandFact(StrEnum):
    """In the order in which they are told."""

    UNPARSED = "unparsed"
    UNKNOWN_PARTS = "unknown_parts"
    DELETES = "deletes"
    REWRITES_HISTORY = "rewrites_history"
    PUBLISHES = "publishes"
    INSTALLS = "installs"
    NETWORK = "network"
    ENDS_PROCESSES = "ends_processes"
    REDIRECTS = "redirects"


_BY_PROGRAM: dict[CommandFact, frozenset[str]] = {
    CommandFact.DELETES: frozenset({"rm", "rmdir", "unlink", "shred", "truncate", "srm", "trash", "gio"}),
    CommandFact.NETWORK: frozenset(
        {"curl", "wget", "ssh", "scp", "sftp", "rsync", "ftp", "telnet", "nc", "ncat", "netcat", "socat", "http",
         "https", "aria2c", "dig", "nslookup", "ping", "npx", "bunx", "uvx", "pipx"}
    ),
    CommandFact.INSTALLS: frozenset({"apt", "apt-get", "dnf", "yum", "pacman", "apk", "brew", "npx", "bunx", "uvx"}),
    CommandFact.ENDS_PROCESSES: frozenset({"kill", "pkill", "killall", "xkill"}),
}  # fmt: skip

_BY_VERB: dict[CommandFact, dict[str, frozenset[str]]] = {
    CommandFact.DELETES: {"git": frozenset({"clean", "rm"}), "docker": frozenset({"rm", "rmi", "prune"})},
    CommandFact.REWRITES_HISTORY: {
        "git": frozenset({"reset", "rebase", "filter-branch", "filter-repo", "restore", "reflog"})
    },
    CommandFact.PUBLISHES: {
        "git": frozenset({"push"}),
        "npm": frozenset({"publish"}),
        "pnpm": frozenset({"publish"}),
        "yarn": frozenset({"publish"}),
        "cargo": frozenset({"publish"}),
        "poetry": frozenset({"publish"}),
        "uv": frozenset({"publish"}),
        "twine": frozenset({"upload"}),
        "mvn": frozenset({"deploy"}),
        "docker": frozenset({"push"}),
        "kubectl": frozenset({"apply", "delete", "create", "replace", "patch", "scale", "rollout"}),
        "helm": frozenset({"install", "upgrade", "uninstall", "rollback"}),
        "terraform": frozenset({"apply", "destroy"}),
    },
    CommandFact.INSTALLS: {
        name: frozenset({"install", "add", "i", "ci", "update", "upgrade", "get", "sync", "download", "fetch"})
        for name in ("pip", "pip3", "npm", "pnpm", "yarn", "bun", "uv", "poetry", "cargo", "gem", "go", "conda")
    },
    CommandFact.NETWORK: {
        "git": frozenset({"clone", "fetch", "pull", "push", "ls-remote", "submodule"}),
        "docker": frozenset({"pull", "push", "login"}),
        "gh": frozenset({"api", "pr", "issue", "repo", "release", "run", "workflow", "gist"}),
    },
}

_NEEDS_NETWORK = frozenset({CommandFact.INSTALLS, CommandFact.PUBLISHES})


def facts_of(command: str) -> tuple[CommandFact, ...]:
    """Empty for a command that does none of it, as far as its text tells. Runs and expands nothing."""
    found = set(_facts(command, 0))
    if found & _NEEDS_NETWORK:
        found.add(CommandFact.NETWORK)
    return tuple(fact for fact in CommandFact if fact in found)


def _facts(command: str, depth: int) -> Iterator[CommandFact]:
    script = _parsed(command)
    if script is None or depth > _MOST_NESTED:
        yield CommandFact.UNPARSED
        return
    for simple in script.commands:
        if _writes_a_file(simple):
            yield CommandFact.REDIRECTS
        for call in calls_in(simple.words):
            yield from _facts_of_call(call)
            for text in texts_in(call):
                yield from _facts(text, depth + 1) if text else [CommandFact.UNKNOWN_PARTS]


def _parsed(command: str) -> Script | None:
    try:
        return parse(command)
    except Unparsable:
        return None


def _facts_of_call(call: Sequence[Word]) -> Iterator[CommandFact]:
    if not call or UNKNOWN in call[0].text:
        yield CommandFact.UNKNOWN_PARTS
        return
    name = name_of(call).lower()
    texts = [word.text for word in call]
    yield from (fact for fact, names in _BY_PROGRAM.items() if name in names)
    if name == "find" and "-delete" in texts:
        yield CommandFact.DELETES
    if name == "git" and (
        ("commit" in texts and has_abbreviation(texts, ("amend",))) or ("checkout" in texts and "--" in texts)
    ):
        yield CommandFact.REWRITES_HISTORY
    if name.startswith("python") and texts[1:2] == ["-m"] and texts[2:3] == ["pip"]:
        name, texts = "pip", texts[2:]
    verb = _verb(name, call, texts)
    yield from (fact for fact, verbs in _BY_VERB.items() if verb in verbs.get(name, frozenset()))


def _verb(name: str, call: Sequence[Word], texts: Sequence[str]) -> str:
    """The word that says what the program does: behind the options, for git behind its own with their values."""
    if name == "git":
        at = subcommand_at(call)
        return texts[at] if at < len(texts) else ""
    words = [text for text in texts[1:] if not text.startswith("-")]
    if name in {"docker", "uv"} and words[:1] in (["container"], ["image"], ["system"], ["volume"], ["pip"]):
        words = words[1:]
    return words[0] if words else ""


def _writes_a_file(simple: SimpleCommand) -> bool:
    """`2>&1` and what goes to /dev/null write none."""
    return any(
        ">" in redirect.operator
        and not (redirect.operator.endswith("&") and (redirect.target.text.isdigit() or redirect.target.text == "-"))
        and redirect.target.text not in {"/dev/null", "/dev/stdout", "/dev/stderr"}
        for redirect in simple.redirects
    )
