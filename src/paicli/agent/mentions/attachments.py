"""Turns `@path` in the person's words into text for the first message, by the reading rules of read_file and list_dir,
and images, where the model sees, into images.

What is attached is data: it stands inside the boundary of tool results, and is neither the policy's words nor a plan's
goal. A mention that can't be followed is told in one line, and the words are sent as they are.
"""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from paicli.agent.actor import Actor
from paicli.agent.boundary import wrap_untrusted
from paicli.agent.mentions.images import MAX_IMAGES, read_image
from paicli.core.catalogue.lookup import model_text
from paicli.core.errors import PolicyDenied, ToolFailed
from paicli.core.events import Notice, NoticeLevel
from paicli.core.faults import Fault
from paicli.core.masking import SecretMasker
from paicli.core.messages import FileRead, Image, Listing, ToolCall, ToolResult
from paicli.core.unicode import clipped
from paicli.policy.path_guard import PathGuard
from paicli.tools.builtin.list_dir import ListDir
from paicli.tools.builtin.read_file import ReadFile
from paicli.tools.files.access import displayed
from paicli.tools.ledger import FileLocks
from paicli.tools.tool import Tool, ToolContext

if TYPE_CHECKING:
    from paicli.core.input_syntax.mentions import Mention

MAX_MENTIONS = 20
"""More are not looked at."""
MAX_ATTACHED = 5
FILE_CHARACTERS = 32_000
TOTAL_CHARACTERS = 100_000
LEAST_CHARACTERS = 4_000
"""Where less than that is left, nothing more is begun: a sliver of a file says nothing."""

_IMAGE_ENDINGS = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp")
_IMAGE = (
    r"\"([^\"\n]+\.(?:png|jpe?g|gif|webp|bmp))\"|'([^'\n]+\.(?:png|jpe?g|gif|webp|bmp))'"
    r"|(?<!\S)((?:[^\s\\]|\\.)+\.(?:png|jpe?g|gif|webp|bmp))(?![\w.])"
)
_LINE_NUMBER = r"(?:^|\n)(\d+)\t[^\n]*\Z"
_SHOWN_CHARACTERS = 200
_WINDOW_LINES = 2_000
"""read_file's own window: what it gives says itself how to read on."""
_REASONS = {
    "files.not_found": "missing",
    "files.is_fifo": "no_file",
    "files.is_socket": "no_file",
    "files.is_device": "no_file",
    "files.no_permission": "no_permission",
}


class Attachments(NamedTuple):
    """What goes beside the person's words."""

    text: str = ""
    images: tuple[Image, ...] = ()


class _Attached(NamedTuple):
    shown: str
    content: str
    """Inside its boundary."""
    is_cut: bool


class _Problem(NamedTuple):
    code: str
    shown: str


@dataclass
class _Gathered:
    """What one text came to so far."""

    attached: list[_Attached] = field(default_factory=list[_Attached])
    images: list[Image] = field(default_factory=list[Image])
    left_out: list[str] = field(default_factory=list[str])
    images_left_out: list[str] = field(default_factory=list[str])
    seen: set[str] = field(default_factory=set[str])
    """Real paths."""

    def take(self, found: _Attached | Image) -> None:
        if isinstance(found, _Attached):
            self.attached.append(found)
        elif len(self.images) < MAX_IMAGES:
            self.images.append(found)
        else:
            self.images_left_out.append(found.path)


class MentionReader:
    """Reads what is mentioned. Only the engine thread uses it."""

    def __init__(self, paths: PathGuard, *, masker: SecretMasker, sees_images: Callable[[], bool]) -> None:
        """`sees_images`: whether the model of the moment does."""
        self._paths = paths
        self._masker = masker
        self._sees_images = sees_images

    def attached_to(self, text: str, actor: Actor) -> Attachments:
        """What to send beside the person's words, empty when they mention nothing; says what it did by notices.

        What was read counts as read by the actor. Raises TurnCancelled.
        """
        gathered = _Gathered()
        for mention in _mentions_in(text):
            path = self._path_of(mention)
            if isinstance(path, _Problem):
                self._tell(actor, path.code, path.shown)
            elif path not in gathered.seen:
                gathered.seen.add(path)
                self._gather(path, gathered, actor)
        self._gather_bare_images(text, gathered, actor)
        self._tell_gathered(gathered, actor)
        texts = [each.content for each in gathered.attached]
        whole = "\n\n".join((model_text("mention.attached"), *texts)) if texts else ""
        return Attachments(whole, tuple(gathered.images))

    def _gather(self, path: str, gathered: "_Gathered", actor: Actor) -> None:
        found = self._image(path)
        if found is None:
            room = TOTAL_CHARACTERS - sum(len(each.content) for each in gathered.attached)
            number = len(gathered.attached) + 1
            if number > MAX_ATTACHED or room < LEAST_CHARACTERS:
                gathered.left_out.append(self._shown_real(path))
                return
            found = self._read(path, actor, number=number, limit=min(room, FILE_CHARACTERS))
        if isinstance(found, _Problem):
            self._tell(actor, found.code, found.shown)
        else:
            gathered.take(found)

    def _gather_bare_images(self, text: str, gathered: "_Gathered", actor: Actor) -> None:
        for name in islice(dict.fromkeys(_images_in(text)), MAX_MENTIONS):
            path = os.path.join(self._paths.root, os.path.expanduser(name))
            if not os.path.isfile(path) or os.path.realpath(path) in gathered.seen:
                continue
            gathered.seen.add(os.path.realpath(path))
            found = self._image(path)
            if isinstance(found, _Problem):
                self._tell(actor, found.code, _shown(name))
            elif found is not None:
                gathered.take(found)

    def _image(self, path: str) -> "Image | _Problem | None":
        """None: neither an image nor called one."""
        is_called_so = path.lower().endswith(_IMAGE_ENDINGS)
        if not os.path.isfile(path):
            return None
        shown = self._shown_real(path)
        if not self._sees_images():
            return _Problem("image", shown) if is_called_so else None
        try:
            image = read_image(self._paths, path)
        except PolicyDenied:
            return _Problem("image_outside", shown)
        except ToolFailed as error:
            if error.code == "files.too_large":
                return _Problem("image_too_large", shown)
            return _Problem("image_unreadable", shown) if is_called_so else None
        if image is None:
            return _Problem("image_unknown", shown) if is_called_so else None
        return image._replace(path=shown)

    def _path_of(self, mention: "Mention") -> "str | _Problem":
        """The longest reading that exists, as its real path."""
        denied = False
        for reading in mention.readings:
            try:
                real = self._paths.for_reading(reading).real
            except PolicyDenied as error:
                denied |= error.code != "policy.path_unusable"  # too long, say: nothing can stand there
                continue
            if os.path.lexists(real):
                return real
        code = "outside" if denied else "missing"
        return _Problem(code, _shown(mention.shown))

    def _read(self, path: str, actor: Actor, *, number: int, limit: int) -> "_Attached | _Problem":
        is_folder = os.path.isdir(path)
        tool: Tool = ListDir() if is_folder else ReadFile()
        call = ToolCall(f"mention_{number}", tool.name, "{}")
        context = ToolContext(actor.name, call.id, actor.cancel, self._paths, actor.ledger, FileLocks())
        shown = self._shown_real(path)
        try:
            result = tool.run(tool.arguments_model.model_validate({"path": path}), context)
        except PolicyDenied:
            return _Problem("outside", shown)
        except ToolFailed as error:
            return _Problem(_REASONS.get(error.code, "unreadable"), shown)
        if not isinstance(result.detail, FileRead | Listing):
            return _Problem("binary", shown)
        content, is_cut = _cut(result, limit)
        inside = f"{shown}{'/' if is_folder else ''}\n{self._masker.mask(content)}"
        return _Attached(shown, wrap_untrusted(call, inside), is_cut)

    def _tell_gathered(self, gathered: "_Gathered", actor: Actor) -> None:
        attached = gathered.attached
        told = [("attached", [each.shown for each in attached]), ("images_attached", [i.path for i in gathered.images])]
        for code, names in told:
            if names:
                actor.emit(Notice(Fault(f"mention.{code}", (("names", ", ".join(names)),))))
        problems = [
            ("cut", [each.shown for each in attached if each.is_cut]),
            ("left_out", gathered.left_out),
            ("images_left_out", gathered.images_left_out),
        ]
        for code, names in problems:
            if names:
                self._tell(actor, code, ", ".join(names))

    def _shown_real(self, path: str) -> str:
        try:
            return _shown(self._paths.for_reading(path).shown)
        except PolicyDenied:
            return _shown(path)

    def _tell(self, actor: Actor, code: str, shown: str) -> None:
        actor.emit(Notice(Fault(f"mention.{code}", (("path", shown),)), NoticeLevel.WARNING))


def _mentions_in(text: str) -> "list[Mention]":
    if "@" not in text:
        return []
    from paicli.core.input_syntax.mentions import find_mentions  # start-up: 2 ms, and most words mention nothing

    return find_mentions(text)[:MAX_MENTIONS]


def joined_attachments(*parts: str) -> str:
    return "\n\n".join(part for part in parts if part)


def _cut(result: ToolResult, limit: int) -> tuple[str, bool]:
    """At most `limit` characters in whole lines, and how to read on."""
    content = result.content
    is_window = isinstance(result.detail, FileRead) and result.detail.line_count >= _WINDOW_LINES
    if len(content) <= limit:
        return content, is_window
    kept = content[: content.rfind("\n", 0, limit) + 1].rstrip("\n") or content[:limit]
    last = re.search(_LINE_NUMBER, kept)
    if last is None:
        return f"{kept}\n{model_text('mention.cut')}", True
    return f"{kept}\n{model_text('mention.cut_at_line', last=last[1], next=int(last[1]) + 1)}", True


def _images_in(text: str) -> Iterator[str]:
    if not any(ending in text.lower() for ending in _IMAGE_ENDINGS):
        return
    for found in re.finditer(_IMAGE, text, re.IGNORECASE):
        yield found[1] or found[2] or re.sub(r"\\(.)", r"\1", found[3])


def _shown(path: str) -> str:
    return clipped(displayed(path), _SHOWN_CHARACTERS)
