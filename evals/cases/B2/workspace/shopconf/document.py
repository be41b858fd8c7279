"""A settings file that people edit by hand: read it, change one value, write it back."""

from pathlib import Path

from shopconf.keys import same_key
from shopconf.lines import entry_in, split_lines


class Document:
    """The lines of one file, in order."""

    def __init__(self, lines):
        self._lines = lines

    @classmethod
    def load(cls, path):
        with Path(path).open(encoding="utf-8") as file:
            return cls(split_lines(file.read()))

    def keys(self):
        """In the order of the file, as they are written there."""
        entries = [entry_in(line) for line in self._lines]
        return [entry[0] for entry in entries if entry]

    def get(self, key):
        """The value, or None where there is no such key."""
        for line in self._lines:
            entry = entry_in(line)
            if entry and same_key(entry[0], key):
                return entry[1]
        return None

    def set(self, key, value):
        """Changes the first entry of that key, or adds one at the end."""
        for number, line in enumerate(self._lines):
            entry = entry_in(line)
            if entry and same_key(entry[0], key):
                self._lines[number] = f"{key} = {value}"
                return
        self._lines.append(f"{key} = {value}")

    def save(self, path):
        with Path(path).open("w", encoding="utf-8") as file:
            file.write("\n".join(self._lines) + "\n")
