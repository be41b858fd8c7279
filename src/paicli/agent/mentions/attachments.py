"""Turns `@path` in the person's words into text for the first message, by the reading rules of read_file and list_dir.

What is attached is data: it stands inside the boundary of tool results, and is neither the policy's words nor a plan's
goal. A mention that can't be followed is told in one line, and the words are sent as they are.
"""

import os
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from paicli.agent.actor import Actor
from paicli.agent.boundary import wrap_untrusted
from paicli.core.catalogue.lookup import model_text
from paicli.core.errors import PolicyDenied, ToolFailed
from paicli.core.events import Notice, NoticeLevel
from paicli.core.faults import Fault
from paicli.core.masking import SecretMasker
from paicli.core.messages import FileRead, Listing, ToolCall, ToolResult
from paicli.core.unicode import clipped
from paicli.policy.path_guard import PathGuard
from paicli.tools.builtin.list_dir import ListDir
from paicli.tools.builtin.read_file import ReadFile
from paicli.tools.files.access import displayed
from paicli.tools.ledger import FileLocks
from paicli.tools.tool import Tool, ToolContext

if TYPE_CHECKING:
    from paicli.core.typed.mentions import Mention

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


class _Attached(NamedTuple):
    shown: str
    content: str
    """Inside its boundary."""
    is_cut: bool


class _Problem(NamedTuple):
    code: str
    shown: str


class MentionReader:
    """Reads what is mentioned. Only the engine thread uses it."""

    def __init__(self, paths: PathGuard, *, masker: SecretMasker) -> None:
        self._paths = paths
        self._masker = masker

    def attached_to(self, text: str, actor: Actor) -> str:
        """The text to send beside the person's words, empty when they mention nothing; says what it did by notices.

        What was read counts as read by the actor. Raises TurnCancelled.
        """
        attached: list[_Attached] = []
        seen: set[str] = set()
        left_out: list[str] = []
        for mention in _mentions_in(text):
            path = self._path_of(mention)
            if isinstance(path, _Problem):
                self._tell(actor, path.code, path.shown)
                continue
            if path in seen:
                continue
            seen.add(path)
            room = TOTAL_CHARACTERS - sum(len(each.content) for each in attached)
            if len(attached) == MAX_ATTACHED or room < LEAST_CHARACTERS:
                left_out.append(_shown(mention.shown))
                continue
            found = self._read(path, actor, number=len(attached) + 1, limit=min(room, FILE_CHARACTERS))
            if isinstance(found, _Problem):
                self._tell(actor, found.code, found.shown)
            else:
                attached.append(found)
        self._tell_images(text, actor, seen)
        self._tell_attached(attached, left_out, actor)
        if not attached:
            return ""
        return "\n\n".join((model_text("mention.attached"), *(each.content for each in attached)))

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
        shown = _shown(self._paths.for_reading(path).shown)
        if path.lower().endswith(_IMAGE_ENDINGS) and os.path.isfile(path):
            return _Problem("image", shown)
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

    def _tell_images(self, text: str, actor: Actor, seen: set[str]) -> None:
        """An image named by its bare path: models get text only so far, and the person should know."""
        for name in dict.fromkeys(_images_in(text)):
            path = os.path.join(self._paths.root, os.path.expanduser(name))
            if os.path.realpath(path) not in seen and os.path.isfile(path):
                self._tell(actor, "image", _shown(name))

    def _tell_attached(self, attached: list[_Attached], left_out: list[str], actor: Actor) -> None:
        if attached:
            names = ", ".join(each.shown for each in attached)
            actor.emit(Notice(Fault("mention.attached", (("names", names),))))
        cut = [each.shown for each in attached if each.is_cut]
        if cut:
            self._tell(actor, "cut", ", ".join(cut))
        if left_out:
            self._tell(actor, "left_out", ", ".join(left_out))

    def _tell(self, actor: Actor, code: str, shown: str) -> None:
        actor.emit(Notice(Fault(f"mention.{code}", (("path", shown),)), NoticeLevel.WARNING))


def _mentions_in(text: str) -> "list[Mention]":
    if "@" not in text:
        return []
    from paicli.core.typed.mentions import find_mentions  # start-up: 2 ms, and most words mention nothing

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
