"""Remember on disk: the journal of a session, sessions that go on, snapshots of the files, the audit.

Entry types: `Journal`, a listener of the event stream; `SnapshotKeeper`. Imports core and system.
"""
