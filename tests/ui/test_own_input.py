import os

from paicli.ui.live.own_input import own_input


def test_bytes_that_are_no_text_are_replaced_and_characters_cut_in_two_are_not() -> None:  # C05, C51
    keyboard, terminal = os.openpty()
    with os.fdopen(keyboard, "wb", buffering=0) as keys, os.fdopen(terminal, encoding="utf-8") as stdin:
        typed = own_input(stdin)
        with typed.raw_mode():
            keys.write(b"a\xff\xd6\xd0b\xe4\xb8")
            first = "".join(press.data for press in typed.read_keys())
            keys.write(b"\xad")
            second = "".join(press.data for press in typed.read_keys())
    assert (first, second) == ("a\ufffd\ufffd\ufffdb", "中")
