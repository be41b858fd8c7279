import pytest

from paicli.tools.web.charsets import charset_of_header, decode_body


@pytest.mark.parametrize(
    ("content_type", "codec"),
    [
        ("text/html; charset=utf-8", "utf-8"),
        ("text/html;charset=GBK", "gb18030"),
        ("text/html; charset='gb2312'; x=y", "gb18030"),
        ('text/html; charset="ISO-8859-1"', "cp1252"),
        ("text/html; charset=x-sjis", "cp932"),
        ("text/html; charset=Shift_JIS", "cp932"),
        ("text/html; charset=ks_c_5601-1987", "cp949"),
        ("text/html", ""),
        ("text/html; charset=", ""),
        ("text/html; charset=nonsense", ""),
        ("text/html; charset=utf-7", ""),
        ("text/html; charset=unicode_escape", ""),
        ("text/html; charset=rot13", ""),
        ("text/html; charset=zlib", ""),
        ("text/html; charset=\u00fctf", ""),
    ],
)
def test_a_header_names_a_character_set_the_way_the_web_means_it(content_type: str, codec: str) -> None:
    assert charset_of_header(content_type) == codec


@pytest.mark.parametrize(
    ("raw", "content_type", "text"),
    [
        (b"\xef\xbb\xbfabc", "text/plain; charset=gbk", "abc"),
        (
            b'<?xml version="1.0" encoding="gbk"?><p>\xd6\xd0</p>',
            "text/xml",
            '<?xml version="1.0" encoding="gbk"?><p>中</p>',
        ),
        (b'<meta charset="utf-16"><p>\xe4\xb8\xad</p>', "text/html", '<meta charset="utf-16"><p>中</p>'),
        (b"caf\xe9", "text/plain; charset=latin1", "café"),
        (b"\x93quoted\x94", "text/html; charset=iso-8859-1", "“quoted”"),
        (b"bad \xff byte", "text/plain; charset=utf-8", "bad \ufffd byte"),
        (b"\x00\x01\x02", "application/octet-stream", None),
        (b"", "text/plain", ""),
    ],
)
def test_a_body_is_read_by_mark_header_own_word_or_guess(raw: bytes, content_type: str, text: str | None) -> None:
    assert decode_body(raw, content_type) == text
