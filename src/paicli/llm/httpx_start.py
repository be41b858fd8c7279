"""Makes `import httpx` cheap: loaded by the room's `__init__`, so before any module of the room imports httpx.

httpx imports its command line, and with it click, rich and pygments where they are installed: 45 to 70 ms and 6 MB
that no client needs.
"""

import sys
import types


def _no_command_line() -> None:
    """Stands in for `httpx._main.main`; httpx sets an attribute on it, so it must be a function."""


if "httpx" not in sys.modules:
    _stub = types.ModuleType("httpx._main")
    _stub.__dict__["main"] = _no_command_line
    sys.modules["httpx._main"] = _stub
