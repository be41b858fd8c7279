"""The side repository: made when first needed, asked with a deadline, its refs the list of snapshots."""

import os
import re
import shutil
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from paicli.core.cancellation import CancellationToken
from paicli.core.unicode import decoded
from paicli.session.folder import make_private_folder
from paicli.session.snapshots.ignoring import excludes_of_project, is_ignore_file
from paicli.session.snapshots.records import (
    TOO_LARGE,
    Snapshot,
    SnapshotFailed,
    SnapshotNote,
    TakenTree,
    TreeChange,
    TreeEntry,
    note_text,
    read_note,
)
from paicli.system.programs.side_git import ATTRIBUTES, SideGit

TIMEOUT_S = 60.0
_MAX_BYTES = 200_000_000
_BEGINNINGS, _ENDS = "refs/snapshots", "refs/ends"
_REF = re.compile(r"refs/(snapshots|ends)/(\d+)")
_FORMAT = "%(refname)%00%(objectname)%00%(tree)%00%(committerdate:unix)%00%(contents)%00%00"
_LINK_MODE = "120000"
_NO_BLOB = "0" * 40
_STALE_S = 3_600
_BATCH_BYTES = 32_000_000
_CONFIG = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n"
_TEMPORARY = ".paicli-*.tmp\n"
"""What a write that was killed may leave behind."""


class SideRepository:
    """Raises, in every method, SnapshotFailed, another OSError, TurnCancelled."""

    def __init__(self, folder: Path, root: Path, environ: Mapping[str, str], *, excluded: Sequence[Path] = ()) -> None:
        """`excluded`: paths that are never taken. Raises GitMissing."""
        self.folder = folder
        self._root = root
        self._environ = environ
        self._excluded = excluded
        self._git = SideGit(folder, root, environ)

    def open(self) -> None:
        """Makes what is missing of it."""
        make_private_folder(self.folder)
        for name in ("objects", "refs", "info"):
            (self.folder / name).mkdir(exist_ok=True)
        self._tidy()
        inside = [path.relative_to(self._root) for path in self._excluded if path.is_relative_to(self._root)]
        own = "".join(f"/{_as_pattern(path) if path.parts else '*'}\n" for path in inside)
        files = {
            "info/attributes": ATTRIBUTES,
            "info/exclude": _TEMPORARY + own,
            "excludes": excludes_of_project(self._root),
            "config": _CONFIG,
            "HEAD": "ref: refs/heads/none\n",
        }
        for name, text in files.items():
            _write_if_other(self.folder / name, text.encode("utf-8", "surrogateescape"))

    def ask(
        self, arguments: Sequence[str], cancel: CancellationToken, *, feed: bytes = b"", index: Path | None = None
    ) -> bytes:
        return self._asked(self._git, arguments, cancel, feed=feed, index=index)

    def ignored_by(self, tree: str, paths: Sequence[str], cancel: CancellationToken) -> set[str]:
        """Those of `paths` that the `.gitignore` files of `tree` name, whatever those of the project say today."""
        entries = self.entries(tree, cancel).items()
        rules = {path: entry.blob for path, entry in entries if is_ignore_file(path) and entry.mode != _LINK_MODE}
        contents = dict(self.blobs(rules.values(), cancel))
        scratch = self.folder / f"rules-{os.urandom(6).hex()}"
        try:
            scratch.mkdir()
            for path, blob in rules.items():
                (scratch / path).parent.mkdir(parents=True, exist_ok=True)
                (scratch / path).write_bytes(contents[blob])
            git = SideGit(self.folder, scratch, self._environ)
            # Literal ones it refuses; with a dot in front no name begins like magic.
            command = ["--no-literal-pathspecs", "check-ignore", "--no-index", "-z", "--stdin"]
            feed = b"".join(b"./" + os.fsencode(path) + b"\0" for path in paths)
            named = self._asked(git, command, cancel, feed=feed, nothing_exits=1)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
        return {os.fsdecode(path.removeprefix(b"./")) for path in named.split(b"\0") if path}

    def add(self, taken: TakenTree, note: SnapshotNote, cancel: CancellationToken) -> int:
        """Stores a snapshot; its number."""
        commit = self._commit(taken, note, cancel)
        number = max((snapshot.number for snapshot in self.listed(cancel)), default=0) + 1
        while not self._create(f"{_BEGINNINGS}/{number}", commit, cancel):
            number += 1  # another session's
        return number

    def add_end(self, number: int, taken: TakenTree, note: SnapshotNote, *, cancel: CancellationToken) -> None:
        commit = self._commit(taken, note, cancel)
        self.ask(["update-ref", f"{_ENDS}/{number}", commit], cancel)

    def listed(self, cancel: CancellationToken) -> list[Snapshot]:
        """Oldest first."""
        raw = self.ask(["for-each-ref", f"--format={_FORMAT}", _BEGINNINGS, _ENDS], cancel)
        begun: dict[int, Snapshot] = {}
        ends: dict[int, tuple[TakenTree, SnapshotNote]] = {}
        for row in decoded(raw).split("\0\0\n"):
            name, _, tree, seconds, contents = (*row.split("\0"), "", "", "", "")[:5]
            found = _REF.fullmatch(name)
            if found is None:
                continue
            note = read_note(contents)
            taken = TakenTree(tree, note.left_out, note.folders)
            if found[1] == "ends":
                ends[int(found[2])] = taken, note
            else:
                begun[int(found[2])] = Snapshot(int(found[2]), taken, note, float(seconds or 0))
        return [
            snapshot._replace(end=ends[number][0], end_note=ends[number][1]) if number in ends else snapshot
            for number, snapshot in sorted(begun.items())
        ]

    def changes(self, old: str, new: str, cancel: CancellationToken) -> list[TreeChange]:
        """From one tree to another, by path."""
        if old == new:
            return []
        raw = self.ask(["diff-tree", "-r", "-z", "--raw", "--no-renames", "--full-index", old, new], cancel)
        parts = raw.split(b"\0")
        found: list[TreeChange] = []
        for about, path in zip(parts[0::2], parts[1::2], strict=False):
            old_mode, new_mode, old_blob, new_blob, _ = about.decode().lstrip(":").split(" ")
            found.append(TreeChange(os.fsdecode(path), _entry(old_mode, old_blob), _entry(new_mode, new_blob)))
        return found

    def line_counts(self, old: str, new: str, cancel: CancellationToken) -> dict[str, tuple[int, int]]:
        """path → lines (added, removed); a binary file has none."""
        raw = self.ask(["diff-tree", "-r", "-z", "--numstat", "--no-renames", old, new], cancel)
        rows = [row.split(b"\t", 2) for row in raw.split(b"\0") if row]
        return {os.fsdecode(path): (int(added), int(removed)) for added, removed, path in rows if added.isdigit()}

    def entries(self, tree: str, cancel: CancellationToken) -> dict[str, TreeEntry]:
        """Every file of a tree, by path."""
        rows = [row.partition(b"\t") for row in self.ask(["ls-tree", "-r", "-z", tree], cancel).split(b"\0") if row]
        found: dict[str, TreeEntry] = {}
        for about, _, path in rows:
            mode, _, blob = about.decode().split(" ")
            found[os.fsdecode(path)] = TreeEntry(mode, blob)
        return found

    def changed_tree(self, tree: str, wanted: Mapping[str, TreeEntry | None], *, cancel: CancellationToken) -> str:
        """`tree` with other entries; None takes one out."""
        index = self.folder / f"index-{os.urandom(6).hex()}"
        try:
            self.ask(["read-tree", tree], cancel, index=index)
            # What goes first makes room for a folder or a file of the same name.
            rows = [f"0 {_NO_BLOB}\t{path}" for path, entry in wanted.items() if entry is None]
            rows += [f"{entry.mode} {entry.blob}\t{path}" for path, entry in wanted.items() if entry is not None]
            feed = b"".join(os.fsencode(row) + b"\0" for row in rows)
            if feed:
                self.ask(["update-index", "-z", "--replace", "--index-info"], cancel, feed=feed, index=index)
            return self.ask(["write-tree"], cancel, index=index).decode().strip()
        finally:
            index.unlink(missing_ok=True)

    def diff(self, old: str, new: str, cancel: CancellationToken) -> bytes:
        """As people read it."""
        return self.ask(["diff", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", old, new], cancel)

    def blobs(self, names: Iterable[str], cancel: CancellationToken) -> Iterable[tuple[str, bytes]]:
        """(name, content), a bounded amount at a time."""
        wanted = sorted(set(names))
        if not wanted:
            return
        sizes = self.ask(["cat-file", "--batch-check"], cancel, feed=_lines(wanted)).decode().splitlines()
        batch: list[str] = []
        batch_bytes = 0
        for name, about in zip(wanted, sizes, strict=True):
            size_bytes = int(about.rsplit(" ", 1)[1]) if about.count(" ") == 2 else 0
            if batch and batch_bytes + size_bytes > _BATCH_BYTES:
                yield from self._batch(batch, cancel)
                batch, batch_bytes = [], 0
            batch.append(name)
            batch_bytes += size_bytes
        yield from self._batch(batch, cancel)

    def expire(self, before: float, keeps: Callable[[Snapshot], bool], cancel: CancellationToken) -> int:
        """Drops snapshots older than `before` (seconds since the epoch) and what only they held; how many."""
        old = [snapshot for snapshot in self.listed(cancel) if snapshot.time < before and not keeps(snapshot)]
        if not old:
            return 0
        refs = [f"{kind}/{snapshot.number}" for snapshot in old for kind in (_BEGINNINGS, _ENDS)]
        self.ask(["update-ref", "--stdin"], cancel, feed="".join(f"delete {ref}\n" for ref in refs).encode())
        # What another session has just written and not named yet is younger than that.
        self.ask(["prune", "--expire=1.day.ago"], cancel)
        return len(old)

    def _tidy(self) -> None:
        """Takes away what processes that were killed have left. What another one is at work with may go meanwhile."""
        for pattern in ("index-*", "*.lock", "refs/*/*.lock", "*.tmp", "rules-*"):
            for left in self.folder.glob(pattern):
                with suppress(FileNotFoundError):
                    if time.time() - left.lstat().st_mtime > _STALE_S:
                        shutil.rmtree(left) if left.is_dir() else left.unlink()

    def _asked(
        self,
        git: SideGit,
        arguments: Sequence[str],
        cancel: CancellationToken,
        *,
        feed: bytes,
        index: Path | None = None,
        nothing_exits: int = 0,
    ) -> bytes:
        """`nothing_exits`: the exit code that says: nothing found."""
        done = git.run(
            arguments,
            cancel,
            timeout_s=TIMEOUT_S,
            max_bytes=_MAX_BYTES,
            feed=feed,
            index=index,
            excludes=self.folder / "excludes",
        )
        if done.timed_out or done.is_cut:
            raise SnapshotFailed(TOO_LARGE)
        if done.exit_code not in (0, nothing_exits):
            lines = decoded(done.errors).strip().split("\n")
            raise SnapshotFailed(lines[0].removeprefix("fatal: ") or f"git {arguments[0]}: {done.exit_code}")
        return done.output

    def _batch(self, names: list[str], cancel: CancellationToken) -> Iterable[tuple[str, bytes]]:
        raw = self.ask(["cat-file", "--batch"], cancel, feed=_lines(names))
        at = 0
        for name in names:
            end = raw.index(b"\n", at)
            about = raw[at:end].split(b" ")
            if len(about) != 3:
                raise SnapshotFailed(decoded(raw[at:end]))
            size_bytes = int(about[2])
            yield name, raw[end + 1 : end + 1 + size_bytes]
            at = end + 2 + size_bytes

    def _commit(self, taken: TakenTree, note: SnapshotNote, cancel: CancellationToken) -> str:
        text = note_text(note._replace(left_out=taken.left_out, folders=taken.folders))
        return self.ask(["commit-tree", taken.tree], cancel, feed=text.encode()).decode().strip()

    def _create(self, ref: str, commit: str, cancel: CancellationToken) -> bool:
        """False where it exists."""
        try:
            self.ask(["update-ref", ref, commit, _NO_BLOB], cancel)
        except SnapshotFailed:
            # Taken; or locked by a process that was killed over it, and whose lock stays.
            if (self.folder / ref).exists() or (self.folder / f"{ref}.lock").exists():
                return False
            raise
        return True


def _as_pattern(path: Path) -> str:
    return re.sub(r"([\\*?\[ !#])", r"\\\1", path.as_posix())


def _write_if_other(path: Path, raw: bytes) -> None:
    try:
        if path.read_bytes() == raw:
            return
    except FileNotFoundError:
        pass
    temporary = path.with_name(f"{path.name}.{os.urandom(6).hex()}.tmp")
    try:
        temporary.write_bytes(raw)
        os.replace(temporary, path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def _entry(mode: str, blob: str) -> TreeEntry | None:
    return None if mode == "000000" else TreeEntry(mode, blob)


def _lines(names: Sequence[str]) -> bytes:
    return "".join(f"{name}\n" for name in names).encode()
