"""Whether a git call rewrites or deletes a branch that others build on."""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Literal

from paicli.policy.shell.words import UNKNOWN, Word

_GLOBAL_VALUED = frozenset(
    {"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--super-prefix", "--exec-path",
     "--attr-source"}
)  # fmt: skip
_PUSH_VALUED = frozenset({"-o", "--push-option", "--repo", "--receive-pack", "--exec", "--recurse-submodules"})
_CURRENT = frozenset({"HEAD", "@", ""})


def subcommand_at(words: Sequence[Word]) -> int:
    """The place of git's subcommand, behind git's own options; len(words) when there is none."""
    at = 1
    while at < len(words) and words[at].text.startswith("-"):
        at += 2 if words[at].text in _GLOBAL_VALUED else 1
    return min(at, len(words))


def pushes_by_force(words: Sequence[Word], branches: Sequence[str]) -> Literal["yes", "no", "unknown"]:
    """`yes`: a forced push or a deletion that names a protected branch, or a forced push that names none.

    `--force-with-lease` counts as force where a protected branch is named; without a branch it passes (it is the
    careful form, used after a rebase of one's own branch; the review still sees it).
    """
    at = subcommand_at(words)
    if at >= len(words) or words[at].text not in {"push", "send-pack"}:
        return "no"
    if any(_is_push_setting(word.text) for word in words[1:at]):
        return "unknown"
    options, operands = _sorted_out(words[at + 1 :])
    if any(option.startswith("--mir") for option in options):
        return "yes"
    with_lease = any(option.startswith("--force-") for option in options)
    forced = any(_is_force(option) for option in options)
    deletes = any(option.startswith("--del") or ("d" in option and not option.startswith("--")) for option in options)
    refspecs = operands[1:]
    if any(UNKNOWN in word for word in operands) and (forced or deletes or with_lease):
        return "unknown"
    if forced and (not refspecs or any(_destination(refspec) in _CURRENT for refspec in refspecs)):
        return "yes"
    if any(option in {"--all", "--branches", "--prune"} for option in options) and (forced or with_lease):
        return "yes"
    for refspec in refspecs:
        is_rewriting = forced or deletes or with_lease or refspec.startswith(("+", ":"))
        if is_rewriting and _is_protected(_destination(refspec), branches):
            return "yes"
        if refspec.startswith("+") and _destination(refspec) in _CURRENT:
            return "yes"
    return "no"


def _sorted_out(words: Sequence[Word]) -> tuple[list[str], list[str]]:
    """Options and operands of a push."""
    options: list[str] = []
    operands: list[str] = []
    at = 0
    while at < len(words):
        text = words[at].text
        if text == "--":
            operands.extend(word.text for word in words[at + 1 :])
            break
        (options if text.startswith("-") else operands).append(text)
        at += 2 if text in _PUSH_VALUED else 1
    return options, operands


def _is_push_setting(text: str) -> bool:
    """`-c remote.origin.push=+main` and `-c remote.origin.mirror=true` push what no word of the push says."""
    key = text.partition("=")[0].lower()
    return key.startswith("remote.") and key.endswith((".push", ".mirror", ".receivepack"))


def _is_force(option: str) -> bool:
    return option in {"--force", "--forc"} or ("f" in option and not option.startswith("--"))


def _destination(refspec: str) -> str:
    return refspec.removeprefix("+").rsplit(":", 1)[-1].removeprefix("refs/").removeprefix("heads/")


def _is_protected(destination: str, branches: Sequence[str]) -> bool:
    name = destination.casefold()
    return "*" in name or any(fnmatchcase(name, branch.casefold()) for branch in branches)
