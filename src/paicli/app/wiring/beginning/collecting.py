"""The garbage collector, off since the process began: collecting while modules load finds nothing to free."""

import gc


def collect_again() -> None:
    """What was imported stays: the collector need never look at it again."""
    gc.freeze()
    gc.enable()
