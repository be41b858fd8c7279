import pytest
from hypothesis import given
from hypothesis import strategies as st

from paicli.core.event_stream import EventStream
from paicli.core.events import (
    DeltaKind,
    Event,
    EventBody,
    ModelDelta,
    ModelReplyRestarted,
    Notice,
    Origin,
    ToolProgressed,
    TurnFinished,
    TurnStatus,
)
from paicli.core.faults import Fault
from paicli.core.masking import SecretMasker
from paicli.core.masking.stream import StreamMasker
from tests.random_examples import examples

CANARY = "canary/1234+Äq=="
PEM = "-----BEGIN RSA PRIVATE KEY-----\nMIIEabc+/=\nxyz\n-----END RSA PRIVATE KEY-----"
KEYS = ["sk-abcdefghijklmnop", "ghp_" + "a1" * 12, "AKIA" + "A1" * 8, "Bearer abcdefgh.ijk=", CANARY, PEM]
KEYS += ["tvly-" + "a1" * 10, "hvs." + "a1" * 16, "shpat_" + "a1" * 16]


def pieces_of(text: str, cuts: list[int]) -> list[str]:
    ends = sorted({min(cut, len(text)) for cut in cuts} | {len(text)})
    return [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def streamed(pieces: list[str], masker: SecretMasker) -> list[str]:
    stream = StreamMasker(masker)
    return [*(stream.feed(piece) for piece in pieces), stream.flush()]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("around", [("", ""), ("the key is ", ", said he"), ("`", "`"), ("KEY=", "\nnext")])
def test_a_key_never_shows_wherever_it_is_cut(key: str, around: tuple[str, str]) -> None:
    masker = SecretMasker([CANARY])
    text = key.join(around)
    for at in range(len(text) + 1):
        shown = streamed([text[:at], text[at:]], masker)
        assert "".join(shown) == masker.mask(text)
    one_by_one = streamed(list(text), masker)
    assert "".join(one_by_one) == masker.mask(text)


@examples(150)
@given(
    st.lists(
        st.sampled_from(
            [*KEYS, "task-", "sk", "-", " ", "\n", "a", "risk-free ", "界", "\\n", "_", "Be", "-----BEGIN "]
        ),
        max_size=12,
    ),
    st.lists(st.integers(0, 200), max_size=12),
)
def test_pieces_give_what_the_whole_gives(words: list[str], cuts: list[int]) -> None:
    masker = SecretMasker([CANARY])
    text = "".join(words)
    assert "".join(streamed(pieces_of(text, cuts), masker)) == masker.mask(text)


@pytest.mark.parametrize("piece", ["Hello", "the answer is 42.", "def mask(text):\n    return text\n", "你好,世界"])
def test_ordinary_text_is_not_held_up(piece: str) -> None:
    assert streamed([piece], SecretMasker([CANARY])) == [piece, ""]


def test_a_key_without_an_end_is_let_go_masked_and_holds_nothing_up_for_ever() -> None:
    stream = StreamMasker(SecretMasker())
    shown = [stream.feed("-----BEGIN PRIVATE KEY-----\n"), *(stream.feed("QUJD" * 1_000) for _ in range(5))]
    assert shown == ["", "", "", "", "***", "QUJD" * 1_000]


def published(masker: SecretMasker, *bodies: tuple[EventBody, str]) -> list[tuple[EventBody, str]]:
    stream = EventStream("s", clock=lambda: 0.0, masker=masker)
    heard: list[Event] = []
    stream.subscribe(heard.append)
    for body, actor in bodies:
        stream.publish(body, Origin("t", actor))
    assert [event.seq for event in heard] == list(range(1, len(heard) + 1))
    return [(event.body, event.origin.actor) for event in heard]


def test_halves_of_a_key_in_deltas_of_two_actors_wait_for_their_own_rest() -> None:
    end = TurnFinished(TurnStatus.COMPLETED, "the key: canary-abcdef")
    found = published(
        SecretMasker(["canary-abcdef"]),
        (ModelDelta(DeltaKind.TEXT, "key: canary"), "a"),
        (ModelDelta(DeltaKind.TEXT, "my can"), "b"),
        (ToolProgressed("c", "x"), "a"),
        (ModelDelta(DeltaKind.TEXT, "-abcdef!"), "a"),
        (ModelDelta(DeltaKind.THINKING, "hm"), "b"),
        (ModelDelta(DeltaKind.TEXT, "canary"), "a"),
        (ModelReplyRestarted(), "a"),
        (ModelDelta(DeltaKind.TEXT, "so can"), "a"),
        (end, "a"),
    )
    assert found == [
        (ModelDelta(DeltaKind.TEXT, "key: "), "a"),
        (ModelDelta(DeltaKind.TEXT, "my "), "b"),
        (ToolProgressed("c", "x"), "a"),
        (ModelDelta(DeltaKind.TEXT, "***!"), "a"),
        (ModelDelta(DeltaKind.TEXT, "can"), "b"),
        (ModelDelta(DeltaKind.THINKING, "hm"), "b"),
        (ModelReplyRestarted(), "a"),
        (ModelDelta(DeltaKind.TEXT, "so "), "a"),
        (ModelDelta(DeltaKind.TEXT, "can"), "a"),
        (end._replace(text="the key: ***"), "a"),
    ]


def test_a_body_without_a_secret_goes_out_as_it_is() -> None:
    notice = Notice(Fault("x", (("detail", "nothing"),)))
    assert published(SecretMasker(["canary-abcdef"]), (notice, "a"))[0][0] is notice
    secret = Notice(Fault("x", (("detail", "a canary-abcdef b"),)))
    assert published(SecretMasker(["canary-abcdef"]), (secret, "a")) == [
        (Notice(Fault("x", (("detail", "a *** b"),))), "a")
    ]
