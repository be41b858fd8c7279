"""A single program call as the danger rules see it, and which files it writes."""

from collections.abc import Sequence
from typing import NamedTuple

from paicli.policy.shell.carried import option_values
from paicli.policy.shell.places import Ground, Place, Target
from paicli.policy.shell.programs import name_of
from paicli.policy.shell.words import Word


class Call(NamedTuple):
    """One program with its arguments, out of all its wrappers."""

    words: Sequence[Word]
    ground: Ground
    folder: str | None
    """Where it runs; None: unknown."""
    branches: tuple[str, ...] = ()
    """Protected branches."""

    @property
    def name(self) -> str:
        return name_of(self.words).lower()

    def options(self) -> list[str]:
        """Words that are options, up to `--`."""
        texts = [word.text for word in self.words[1:]]
        end = texts.index("--") if "--" in texts else len(texts)
        return [text for text in texts[:end] if text.startswith("-") and text != "-"]

    def operands(self) -> list[Word]:
        """Words that are no options; values of options among them."""
        found: list[Word] = []
        is_over = False
        for word in self.words[1:]:
            if not is_over and word.text == "--":
                is_over = True
            elif is_over or not word.text.startswith("-") or word.text == "-":
                found.append(word)
        return found

    def has_option(self, letters: str, *names: str) -> bool:
        """One of the short `letters` or one of the long `names` (or a beginning of it, as GNU takes it)."""
        options = self.options()
        is_short = any(letter in option[1:] for option in options if option[:2] != "--" for letter in letters)
        return is_short or has_abbreviation(options, names)

    def target(self, word: Word) -> Target:
        return self.ground.target(word, self.folder)

    def place(self, word: Word) -> Place:
        return self.ground.place(self.target(word))


def has_abbreviation(texts: Sequence[str], names: Sequence[str]) -> bool:
    """Whether one of `texts` is a long option of `names`, or the beginning of one, as GNU and git take it."""
    given = [text[2:].split("=", 1)[0] for text in texts if text.startswith("--") and len(text) > 2]
    return any(name.startswith(beginning) for beginning in given for name in names)


_COPIERS = frozenset({"cp", "mv", "install", "ln", "rsync", "scp", "ditto"})
_ALL_OPERANDS = frozenset(
    {
        "tee",
        "truncate",
        "shred",
        "sponge",
        "ed",
        "ex",
        "rm",
        "unlink",
        "gshred",
        "scrub",
        "rmdir",
        "touch",
        "mkdir",
        "patch",
        "vim",
        "vi",
        "nvim",
        "nano",
        "emacs",
    }
)
_IN_PLACE = frozenset({"sed", "gsed", "perl", "ruby", "gawk"})
_OUTPUT_OPTIONS = {
    "curl": ("-o", "--output"),
    "wget": ("-O", "--output-document"),
    "sort": ("-o", "--output"),
    "tree": ("-o",),
    "shuf": ("-o", "--output"),
    "ssh-keygen": ("-f",),
    "pandoc": ("-o", "--output"),
    "git": ("--output",),
    "find": ("-fprint", "-fprint0", "-fls", "-fprintf"),
    "openssl": ("-out",),
    "gpg": ("-o", "--output"),
    "gcc": ("-o",),
}


def written_files(call: Call) -> list[Word]:
    """Files the call writes, replaces or deletes; redirections are not among them."""
    name = call.name
    if name in {"dd", "dcfldd", "dc3dd"}:
        return [_rest(word, "of=") for word in call.words[1:] if word.text.startswith("of=")]
    if name in _ALL_OPERANDS:
        return call.operands()
    if name in _IN_PLACE:
        return call.operands() if _edits_in_place(call) else []
    if name in _COPIERS:
        return _copied_to(call)
    return list(option_values(call.words, _OUTPUT_OPTIONS.get(name, ())))


def _edits_in_place(call: Call) -> bool:
    options = call.options()
    is_long = any(option.startswith("--in") for option in options)
    return is_long or any("i" in option for option in options if not option.startswith("--"))


def _copied_to(call: Call) -> list[Word]:
    """The goal as a file, and the same name in it if it is a folder; what `mv` takes away is written too."""
    operands = call.operands()
    folders = list(option_values(call.words, ("-t", "--target-directory")))
    if folders:
        goal, sources = folders[0], [word for word in operands if word is not folders[0]]
    elif len(operands) > 1:
        goal, sources = operands[-1], operands[:-1]
    else:
        return []
    inside = [goal._replace(text=f"{goal.text.rstrip('/')}/{source.text.rsplit('/', 1)[-1]}") for source in sources]
    return [goal, *inside, *(sources if call.name == "mv" else ())]


def _rest(word: Word, prefix: str) -> Word:
    return word._replace(text=word.text.removeprefix(prefix))
