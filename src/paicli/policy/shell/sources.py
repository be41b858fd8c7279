"""Where a command's input and code come from: a download, a decoder, a local file, or text that stands there."""

import posixpath
import re
from collections.abc import Iterable, Sequence

from paicli.policy.shell.script import Script, SimpleCommand
from paicli.policy.shell.words import Word
from paicli.policy.shell.wrappers import inner_commands, name_of

_FETCHERS = frozenset(
    {"curl", "wget", "fetch", "aria2c", "http", "https", "xh", "lwp-request", "GET", "nc", "ncat", "netcat", "socat",
     "telnet", "ftp", "tftp", "lynx", "w3m", "links", "elinks", "ssh", "gh", "axel", "iwr", "irm"}
)  # fmt: skip
_DECODERS = {
    "base64": ("-d", "-D", "--decode", "-di"),
    "gbase64": ("-d", "--decode"),
    "base32": ("-d", "--decode"),
    "basenc": ("-d", "--decode"),
    "xxd": ("-r", "-rp", "-p"),
    "openssl": ("enc", "-d", "base64", "s_client"),
    "uudecode": (),
}
_OUTPUT_NAMES = ("-o", "--output", "-O", "--output-document")
_FOLDER_OPTIONS = ("-P", "--directory-prefix", "--output-dir", "-d", "--dir")
_COPIERS = frozenset({"cp", "mv", "install", "ln"})
_PRINTERS = frozenset({"echo", "printf"})
_MOST_WRAPPERS = 8


class Sources:
    """What feeds the commands of one script."""

    def __init__(self, script: Script) -> None:
        self._commands = script.commands
        self.files: set[str] = set()
        """Files the text itself downloads, as it names them, normalised."""
        self._written = self._find_written()
        """Path → text."""
        self.fetched = self._find_fetched()
        """Numbers of the commands whose output comes from a download or a decoder, straight or through pipes."""

    def come_from_fetch(self, words: Iterable[Word]) -> bool:
        """Whether a substitution in one of the words prints what was downloaded or decoded."""
        return any(number in self.fetched for word in words for feed in word.feeds for number in feed)

    def is_fetched_file(self, word: Word) -> bool:
        return bool(self.files) and posixpath.normpath(word.text) in self.files

    def written_text(self, word: Word) -> str | None:
        """What the text itself puts into the file, when it stands there: `echo … > x.sh`, `tee x.sh <<< …`."""
        return self._written.get(posixpath.normpath(word.text)) if self._written else None

    def _find_written(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for command in self._commands:
            goals = [each.target for each in command.redirects if each.operator in {">", ">>", ">|", "&>"}]
            if name_of(command.words) == "tee":
                goals.extend(word for word in command.words[1:] if not word.text.startswith("-"))
            text = self._text_of(command) if goals else None
            for goal in goals if text is not None else ():
                path = posixpath.normpath(goal.text)
                found[path] = f"{found[path]}\n{text}" if path in found else text or ""
        return found

    def _text_of(self, command: SimpleCommand) -> str | None:
        if name_of(command.words) != "tee":
            return _printed(command)
        inputs = [each.target for each in command.redirects if each.operator in {"<<", "<<<"}]
        if inputs:
            return inputs[-1].text if inputs[-1].is_known else None
        return self.printed_text(command.pipe) if command.pipe else None

    def printed_text(self, numbers: Sequence[int]) -> str | None:
        """What the commands print, when it stands in the text; None when only running them would tell."""
        texts = [_printed(self._commands[number]) for number in numbers]
        return "\n".join(text for text in texts if text is not None) if None not in texts else None

    def are_local_files(self, numbers: Sequence[int]) -> bool:
        """Whether the commands only print files of this machine."""
        return all(
            self._commands[number].name in {"cat", "tac"}
            and all(word.is_known for word in self._commands[number].words)
            for number in numbers
        )

    def _find_fetched(self) -> set[int]:
        direct = [
            number for number, command in enumerate(self._commands) if _fetches(command.words) or is_connected(command)
        ]
        if not direct:
            return set()
        readers = self._readers()
        found = _reached(direct, readers)
        self.files = {posixpath.normpath(name) for number in found for name in _saved_files(self._commands[number])}
        if self.files:
            self._follow_copies()
            again = [number for number, command in enumerate(self._commands) if self._reads_fetched_file(command)]
            found |= _reached([number for number in again if name_of(self._commands[number].words) == "cat"], readers)
        return found

    def _reads_fetched_file(self, command: SimpleCommand) -> bool:
        inputs = [redirect.target for redirect in command.redirects if redirect.operator == "<"]
        return any(map(self.is_fetched_file, (*command.words[1:], *inputs)))

    def _follow_copies(self) -> None:
        """A copy of a downloaded file is one too."""
        for command in self._commands:
            if name_of(command.words) in _COPIERS and any(map(self.is_fetched_file, command.words[1:-1])):
                goal = posixpath.normpath(command.words[-1].text)
                self.files |= {goal, *(posixpath.join(goal, posixpath.basename(name)) for name in self.files)}

    def _readers(self) -> dict[int, list[int]]:
        """Number → numbers of the commands that read its output."""
        readers: dict[int, list[int]] = {}
        for number, command in enumerate(self._commands):
            words = (*command.words, *(redirect.target for redirect in command.redirects))
            feeding = [*(command.pipe or ()), *(source for word in words for feed in word.feeds for source in feed)]
            for source in feeding:
                readers.setdefault(source, []).append(number)
        return readers


def _reached(start: Iterable[int], readers: dict[int, list[int]]) -> set[int]:
    found = set(start)
    waiting = list(found)
    while waiting:
        for reader in readers.get(waiting.pop(), ()):
            if reader not in found:
                found.add(reader)
                waiting.append(reader)
    return found


def _fetches(words: Sequence[Word]) -> bool:
    waiting = [(tuple(words), 0)]
    while waiting:
        current, depth = waiting.pop()
        name = name_of(current)
        marks = _DECODERS.get(name)
        if name in _FETCHERS or (marks is not None and (not marks or any(word.text in marks for word in current[1:]))):
            return True
        if depth < _MOST_WRAPPERS:
            waiting.extend((inner.words, depth + 1) for inner in inner_commands(current) if not inner.is_remote)
    return False


def _saved_files(command: SimpleCommand) -> list[str]:
    """Names under which a command that has fetched data saves it."""
    found = [redirect.target.text for redirect in command.redirects if ">" in redirect.operator]
    texts = [word.text for word in command.words]
    name = name_of(command.words)
    if name == "dd":
        found.extend(text[3:] for text in texts if text.startswith("of="))
    if name == "tee":
        found.extend(text for text in texts[1:] if not text.startswith("-"))
    if name in {"curl", "wget", "aria2c"}:
        found.extend(texts[at + 1] for at, text in enumerate(texts[:-1]) if text in _OUTPUT_NAMES or _ends_in_o(text))
        found.extend(text.split("=", 1)[1] for text in texts if text.startswith(("--output=", "--output-document=")))
        names = [text.rstrip("/").rsplit("/", 1)[-1] for text in texts[1:] if "/" in text and text[0] != "-"]
        folders = [texts[at + 1] for at, text in enumerate(texts[:-1]) if text in _FOLDER_OPTIONS]
        found.extend(posixpath.join(folder, name) for folder in ("", *folders) for name in names)
    return [text for text in found if text and not text.isdigit() and text not in {"-", "/dev/null"}]


def _ends_in_o(option: str) -> bool:
    """`-fsSLo FILE`."""
    return option.startswith("-") and not option.startswith("--") and option[-1] in "oO"


def _printed(command: SimpleCommand) -> str | None:
    name = command.name
    if name == "cat" and len(command.words) == 1:
        texts = [redirect.target for redirect in command.redirects if redirect.operator in {"<<", "<<<"}]
        return texts[-1].text if texts and texts[-1].is_known else None
    if name not in _PRINTERS or not all(word.is_known for word in command.words):
        return None
    words = [word.text for word in command.words[1:]]
    while name == "echo" and words and words[0] in {"-n", "-e", "-ne", "-en", "-E"}:
        words = words[1:]
    if name == "echo":
        return _in_both_readings(" ".join(words))
    return _in_both_readings("\n".join(word.replace("%s", "") for word in words))


def _in_both_readings(said: str) -> str:
    """With its escapes undone and as it stands: shells differ, and so do printf's format and its arguments."""
    undone = _ESCAPE.sub(_unescaped, said)
    return said if undone == said else undone + "\n" + said


_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{1,2})|0?([0-7]{2,3})|([nt]))")


def _unescaped(found: re.Match[str]) -> str:
    if found[3]:
        return "\n" if found[3] == "n" else "\t"
    return chr(int(found[1], 16) if found[1] else int(found[2], 8))


def is_connected(command: SimpleCommand) -> bool:
    """Whether it reads from or writes to another machine by the shell's own `/dev/tcp/HOST/PORT`."""
    return any(redirect.target.text.startswith(("/dev/tcp/", "/dev/udp/")) for redirect in command.redirects)
