from hypothesis import given
from hypothesis import strategies as st

from paicli.system.output_ring import KeptOutput, OutputRing
from tests.random_examples import examples


def test_a_short_output_is_kept_whole() -> None:
    ring = OutputRing()
    ring.append(b"one\n")
    ring.append(b"two")
    ring.finish()
    assert ring.take() == KeptOutput(b"one\ntwo")


def test_a_long_output_keeps_its_ends_and_counts_the_rest_exactly() -> None:
    ring = OutputRing(head_chars=100, tail_chars=100_000)
    line = b"x" * 9 + b"\n"
    for _ in range(50_000):
        ring.append(line)
    ring.finish()
    kept = ring.take()
    assert kept.head == line * 10
    assert set(kept.tail.split(b"\n")) == {b"x" * 9, b""}
    assert 30_000 < len(kept.tail) <= 100_000
    assert len(kept.head) + kept.dropped_bytes + len(kept.tail) == 500_000


def test_output_without_any_line_end_is_cut_between_characters() -> None:
    ring = OutputRing(head_chars=1_000, tail_chars=1_000)
    for _ in range(3):
        ring.append("中".encode() * 30_000)
    ring.finish()
    kept = ring.take()
    assert set(kept.head.decode()) == {"中"}
    assert set(kept.tail.decode()) == {"中"}
    assert len(kept.head) + kept.dropped_bytes + len(kept.tail) == 270_000


def test_the_limit_counts_characters_and_not_bytes() -> None:
    ring = OutputRing(head_chars=70_000, tail_chars=70_000)
    ring.append("中".encode() * 65_000)
    ring.append("文".encode() * 65_000)
    ring.finish()
    assert ring.take() == KeptOutput(("中" * 65_000 + "文" * 65_000).encode())


def test_bytes_that_are_no_text_do_not_escape_the_limit() -> None:
    ring = OutputRing(head_chars=1_000, tail_chars=1_000)
    for _ in range(100):
        ring.append(b"\x80" * 40_000)
    ring.finish()
    kept = ring.take()
    assert len(kept.head) + len(kept.tail) <= 8_000
    assert len(kept.head) + kept.dropped_bytes + len(kept.tail) == 4_000_000


def test_each_take_gives_only_what_is_new_and_never_half_a_character() -> None:
    ring = OutputRing()
    raw = "a中".encode()
    ring.append(raw[:2])
    first = ring.take()
    ring.append(raw[2:])
    second = ring.take()
    assert (first, second) == (KeptOutput(b"a"), KeptOutput("中".encode()))


def test_a_finished_ring_gives_an_incomplete_last_character_too() -> None:
    ring = OutputRing()
    ring.append(b"a\xe4\xb8")
    ring.finish()
    assert ring.take() == KeptOutput(b"a\xe4\xb8")


def test_the_last_bytes_reach_across_head_and_tail() -> None:
    ring = OutputRing(head_chars=4, tail_chars=100_000)
    ring.append(b"ab" + b"c" * 40_000)
    ring.append(b"de")
    assert ring.last(3) == b"cde"
    assert ring.last(40_003) == b"b" + b"c" * 40_000 + b"de"


def test_a_megabyte_in_single_bytes_is_gathered() -> None:
    ring = OutputRing(head_chars=10, tail_chars=200_000)
    for _ in range(300_000):
        ring.append(b"x")
    assert len(ring._tail) < 10


@examples(80)
@given(
    st.lists(st.sampled_from([0, 1, 7, 300, 33_000, 70_000]), max_size=12),
    st.sampled_from([1, 50, 1_000, 50_000]),
    st.sampled_from([1, 50, 1_000, 50_000]),
    st.sampled_from(["x", "中x", "\n中"]),
)
def test_nothing_is_lost_uncounted_or_put_out_of_order(sizes: list[int], head: int, tail: int, letters: str) -> None:
    whole = "".join(f"{number}{letters}" for number in range(sum(sizes) // 3 + 1)).encode()[: sum(sizes)]
    ring = OutputRing(head_chars=head, tail_chars=tail)
    position = 0
    for size in sizes:
        ring.append(whole[position : position + size])
        position += size
    ring.finish()
    kept = ring.take()
    assert len(kept.head) + kept.dropped_bytes + len(kept.tail) == len(whole)
    assert whole.startswith(kept.head)
    assert whole.endswith(kept.tail)
    assert len(kept.tail.decode(errors="ignore")) <= tail
