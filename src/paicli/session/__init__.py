"""Remember on disk: the journal of a session.

Entry type: `Journal`, a listener of the event stream. Imports core and system.
"""
