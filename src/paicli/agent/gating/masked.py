"""What is told of a call, without secrets."""

from paicli.core.masking import SecretMasker
from paicli.core.messages import CommandRun, FileWritten, ToolDetail


def masked_detail(detail: ToolDetail | None, masker: SecretMasker) -> ToolDetail | None:
    match detail:
        case FileWritten():
            return detail._replace(diff=masker.mask(detail.diff))
        case CommandRun():
            return detail._replace(command=masker.mask(detail.command), tail=masker.mask(detail.tail))
        case _:
            return detail
