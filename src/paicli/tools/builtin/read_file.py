"""read_file: numbered lines of a text file, at the cost of the lines that were asked for."""

import codecs
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO, ClassVar, cast

from paicli.core.cancellation import CancellationToken
from paicli.core.catalogue.lookup import model_text
from paicli.core.errors import ToolFailed
from paicli.core.messages import ErrorKind, FileRead, ToolDetail, ToolEffect, ToolResult
from paicli.tools.files.access import FoundPath, find_to_read, open_to_read, size_text, translated
from paicli.tools.files.changes import ABSENT
from paicli.tools.files.encoding import SAMPLE_BYTES, TextEncoding, binary_kind, detect_encoding
from paicli.tools.files.windows import MAX_LINE_CHARACTERS, LineWindow, ShownLine
from paicli.tools.ledger import WRITABLE_BYTES, content_hash
from paicli.tools.tool import ToolContext

if TYPE_CHECKING:
    from pydantic import BaseModel

    from paicli.tools.builtin.file_arguments import ReadFileArguments

_CHUNK_BYTES = 1 << 18


class ReadFile:
    """Up to 5 MB the whole file is read and its hash noted, so that it may be overwritten; a larger one is streamed."""

    name: ClassVar[str] = "read_file"
    effect: ClassVar[ToolEffect] = ToolEffect.READ
    needs_approval: ClassVar[bool] = False

    @property
    def arguments_model(self) -> "type[BaseModel]":
        from paicli.tools.builtin.file_arguments import ReadFileArguments  # start-up: pydantic models cost 50 ms

        return ReadFileArguments

    def run(self, arguments: "BaseModel", context: ToolContext) -> ToolResult:
        call = cast("ReadFileArguments", arguments)
        found = _found(call.path, context)
        window = LineWindow(call.offset, call.limit, call.column)
        with open_to_read(found) as file, translated(found.shown):
            size_bytes = os.fstat(file.fileno()).st_size
            head = file.read(WRITABLE_BYTES + 1 if size_bytes <= WRITABLE_BYTES else SAMPLE_BYTES)
            is_whole = len(head) <= WRITABLE_BYTES and size_bytes <= WRITABLE_BYTES
            encoding = detect_encoding(head, is_whole=is_whole)
            if encoding is None:
                return _binary(found, head, max(size_bytes, len(head)))
            if is_whole:
                _feed_whole(window, encoding.decode(head))
            else:
                _feed_stream(window, _texts(head, file, encoding), context.cancel)
        result = _result(found, encoding, window=window, call=call)
        if is_whole:  # only now: an offset behind the end shows nothing of the file
            context.ledger.note(found.guarded.real, content_hash(head))
        return result

    def preview(self, arguments: "BaseModel", context: ToolContext) -> ToolDetail | None:
        return None


def _found(path: str, context: ToolContext) -> FoundPath:
    try:
        return find_to_read(context.paths, path)
    except ToolFailed as error:
        real = context.paths.for_reading(path).real
        if error.code == "files.not_found" and context.ledger.seen(real) is not None:
            context.ledger.note(real, ABSENT)  # it knows now that the file is gone, so it may create it anew
        raise


def _feed_whole(window: LineWindow, text: str) -> None:
    window.feed(text if "\n" in text else text.replace("\r", "\n"))
    window.finish()


def _feed_stream(window: LineWindow, texts: Iterator[str], cancel: CancellationToken) -> None:
    for text in texts:
        cancel.raise_if_cancelled()
        if not window.feed(text):
            return
    window.finish()


def _texts(head: bytes, file: BinaryIO, encoding: TextEncoding) -> Iterator[str]:
    """The head decided on the encoding; what does not fit it further on becomes U+FFFD."""
    decoder = codecs.getincrementaldecoder(encoding.codec)("replace")
    yield decoder.decode(head[len(encoding.bom) :])
    while chunk := file.read(_CHUNK_BYTES):
        yield decoder.decode(chunk)
    yield decoder.decode(b"", True)


def _binary(found: FoundPath, head: bytes, size_bytes: int) -> ToolResult:
    kind = binary_kind(head) or model_text("files.kind_unknown")
    text = model_text("files.binary", path=found.shown, kind=kind, size=size_text(size_bytes))
    return ToolResult(text, files_read=(found.guarded.real,))


def _result(found: FoundPath, encoding: TextEncoding, *, window: LineWindow, call: "ReadFileArguments") -> ToolResult:
    total = window.number - 1
    if not window.lines and call.offset > max(1, total):
        raise ToolFailed("files.offset_beyond", kind=ErrorKind.INVALID_ARGUMENT, path=found.shown, total=total)
    notes = [found.note] if found.note else []
    if not encoding.is_utf8:
        notes.append(model_text("files.encoding", encoding=encoding.codec))
    lines = [_numbered(line, call.column) for line in window.lines] or [model_text("files.empty")]
    if window.has_more:
        last = call.offset + len(window.lines) - 1
        lines.append(model_text("files.more_lines", first=call.offset, last=last, next=last + 1))
    detail = FileRead(found.shown, call.offset, len(window.lines), encoding.codec)
    return ToolResult("\n".join((*notes, *lines)), detail, files_read=(found.guarded.real,))


def _numbered(line: ShownLine, column: int) -> str:
    shown_to = column - 1 + len(line.text)
    numbered = f"{line.number}\t{line.text}"
    if column == 1 and line.length <= MAX_LINE_CHARACTERS:
        return numbered
    length = line.length if line.is_counted else f"{line.length}+"
    if shown_to >= line.length:
        return numbered + model_text("files.line_ends", length=length)
    return numbered + model_text("files.line_cut", length=length, number=line.number, next=shown_to + 1)
