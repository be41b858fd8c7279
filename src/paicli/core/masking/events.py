"""Masks events before anybody hears of them: screen, journal, audit and every machine-readable output alike."""

from collections.abc import Iterator
from typing import Any, cast

from paicli.core.events import (
    DeltaKind,
    EventBody,
    ModelDelta,
    ModelReplyRestarted,
    Origin,
    ToolProgressed,
    TurnFinished,
)
from paicli.core.masking import SecretMasker
from paicli.core.masking.stream import StreamMasker
from paicli.core.messages import Image


class EventMasker:
    """Not thread-safe: the event stream asks it under its lock."""

    def __init__(self, masker: SecretMasker) -> None:
        self._masker = masker
        self._streams: dict[Origin, tuple[DeltaKind, StreamMasker]] = {}

    def masked(self, body: EventBody, origin: Origin) -> Iterator[EventBody]:
        """What to publish in place of `body`: nothing while a delta may be half a secret, first what was held back."""
        if isinstance(body, ModelDelta):
            yield from self._of_delta(body, origin)
            return
        if isinstance(body, ModelReplyRestarted):
            self._streams.pop(origin, None)
        elif not isinstance(body, ToolProgressed):
            yield from self._rest(origin)
        if isinstance(body, TurnFinished):  # of a reply that a cancel cut off, the held-back end is nobody's any more
            self._streams = {kept: held for kept, held in self._streams.items() if kept.turn_id != origin.turn_id}
        yield cast(EventBody, self._without_secrets(body))

    def _of_delta(self, delta: ModelDelta, origin: Origin) -> Iterator[EventBody]:
        kind, stream = self._streams.get(origin, (delta.kind, None))
        if stream is None or kind is not delta.kind:
            yield from self._rest(origin)
            stream = StreamMasker(self._masker)
            self._streams[origin] = delta.kind, stream
        text = stream.feed(delta.text)
        if text or not delta.text:
            yield delta if text == delta.text else delta._replace(text=text)

    def _rest(self, origin: Origin) -> Iterator[EventBody]:
        found = self._streams.pop(origin, None)
        text = found[1].flush() if found is not None else ""
        if found is not None and text:
            yield ModelDelta(found[0], text)

    def _without_secrets(self, value: Any) -> Any:
        """The same object where there was nothing to mask."""
        if type(value) is str:
            masked = self._masker.mask(value)
            return value if masked == value else masked
        if not isinstance(value, tuple) or isinstance(value, Image):  # no text in a picture's bytes
            return cast(Any, value)
        items = cast(tuple[Any, ...], value)
        masked = [self._without_secrets(item) for item in items]
        if all(new is old for new, old in zip(masked, items, strict=True)):
            return items
        make = getattr(items, "_make", None)
        return make(masked) if make is not None else tuple(masked)
