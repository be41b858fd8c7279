"""An unexpected error as a person may see it: one line, and a private log file with the rest."""

import os
import time
import traceback as tracebacks
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import TextIO

from paicli.app.command_line import language_wish
from paicli.app.config.environment import error_language, home_folder
from paicli.app.streams import write_out
from paicli.core.catalogue.lookup import Texts
from paicli.core.masking import SecretMasker
from paicli.core.unicode import clipped, well_formed

_SECRET_WORDS = ("KEY", "TOKEN", "SECRET", "PASSWORD")
_SHOWN = 200
"""Characters of the error's own text on the screen."""


def report_crash(
    error: Exception,
    traceback: TracebackType | None,
    *,
    argv: list[str],
    environ: Mapping[str, str],
    stderr: TextIO | None,
) -> None:
    """Keeps working where anything else is broken: without a writable home there is only the line."""
    masker = SecretMasker(
        value for name, value in environ.items() if any(word in name.upper() for word in _SECRET_WORDS)
    )
    whole = "".join(tracebacks.format_exception(type(error), error, traceback))
    log = _write_log(home_folder(environ) / "logs", masker.mask_all(well_formed(whole)))
    what = clipped(" ".join(masker.mask_all(well_formed(str(error))).split()), _SHOWN)
    fields = {"kind": type(error).__name__, "what": what}
    texts = Texts(error_language(language_wish(argv), environ))
    code = "error.unexpected_logged" if log else "error.unexpected"
    line = texts.screen("cli.error", text=texts.screen(code, **fields, log=log))
    write_out(stderr, "".join(filter(str.isprintable, line)) + "\n")


def _write_log(folder: Path, text: str) -> Path | None:
    name = f"error-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{os.getpid()}.log"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(folder / name, os.O_CREAT | os.O_APPEND | os.O_WRONLY | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as log:
            log.write(text)
    except OSError:
        return None
    return folder / name
