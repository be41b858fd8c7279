"""The words all rooms share: messages, events, ops, plan views, errors, cancellation, masking, the catalogue.

Entry types: `Event`, `Op`, `Message`, `PaiError`, `CancellationToken`, `EventStream`. Imports nothing of paicli and
does no I/O.
"""
