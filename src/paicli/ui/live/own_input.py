"""The process's own terminal as input. Its bytes become text once, here (R3): what can't be decoded is U+FFFD.

prompt_toolkit would keep such bytes as lone surrogates for old mouse reports, which paicli never asks for, and whoever
encodes the text later (a draft for the editor, a file) would stumble over them.
"""

from typing import TextIO

from prompt_toolkit.input import Input, create_input
from prompt_toolkit.input.posix_utils import PosixStdinReader
from prompt_toolkit.input.vt100 import Vt100Input


def own_input(stdin: TextIO | None = None) -> Input:
    """`stdin` is for tests; None: the process's own."""
    typed = create_input(stdin)
    if isinstance(typed, Vt100Input):
        typed.stdin_reader = PosixStdinReader(typed.fileno(), errors="replace", encoding=typed.stdin.encoding)
    return typed
