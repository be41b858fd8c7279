"""A store that can't be read any more is set aside whole, so that snapshots go on in a new one."""

import os
import secrets
from pathlib import Path

from paicli.core.cancellation import CancellationToken
from paicli.session.snapshots.records import TOO_LARGE, SnapshotFailed, SnapshotPlace
from paicli.session.snapshots.repository import SideRepository


def make_room(place: SnapshotPlace, cancel: CancellationToken) -> Path | None:
    """For a new store where the one there is damaged; where that lies now, the place itself if there is none at all.

    None: it is whole, and what failed had another reason. Raises OSError, TurnCancelled.
    """
    if not os.path.lexists(place.folder):
        return place.folder
    if place.folder.is_dir() and _is_whole(place, cancel):
        return None
    aside = place.folder.with_name(f"{place.folder.name}.damaged-{secrets.token_hex(3)}")
    place.folder.rename(aside)
    return aside


def _is_whole(place: SnapshotPlace, cancel: CancellationToken) -> bool:
    try:
        repository = SideRepository(place.folder, place.root, place.environ)
        repository.ask(["fsck", "--connectivity-only", "--no-dangling", "--no-progress"], cancel)
    except SnapshotFailed as error:
        return error.reason == TOO_LARGE  # it took too long: nothing is known against it
    return True
