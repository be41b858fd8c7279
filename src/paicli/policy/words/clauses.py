"""Cuts the person's words into clauses, without what is quoted, code, or somebody else's text."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from paicli.policy.words.patterns import compiled

STAND_IN = "▢"
"""Stands where something quoted stood: a noun that says nothing."""

_LONGEST_QUOTE = 4_000
_FENCE = r"(?sm)" r"^[ \t]*(`{3,}|~{3,})[^\n]*\n.*?(?:^[ \t]*\1[ \t]*$|\Z)"
_CODE = r"(?s)" r"(`+)(?!`)(.+?)(?<!`)\1(?!`)"
_QUOTED_LINE = r"(?m)" r"^[ \t]*>.*$"
_TAGGED = r"(?s)" r"<(\w[\w-]*)(?: [^<>\n]*)?>.*?</\1>"
_MARKED = (("```", _FENCE), ("~~~", _FENCE), ("`", _CODE), (">", _QUOTED_LINE), ("</", _TAGGED))
"""What marks it, and what it looks like; in this order."""
_PAIRS = ("“”", "„“", "‘’", "「」", "『』", "《》", "〈〉", "«»", "‹›", "〝〞", "＂＂", '""', "＇＇")
_SINGLE = r"(?<![\w'])'(?=\S)[^'\n]*(?:(?<=\w)'(?=\w)[^'\n]*)*'(?!\w)"

_TRADITIONAL = str.maketrans(
    "聯網離線讀連執運動寫檔別請無許這個記碼實務過設備為並還說們對種間門問該術導資體質調轉關態時會環續編輯刪終腳訪詢業處現應嚴絕純專終機資夾準審閱覽僅動",
    "联网离线读连执运动写档别请无许这个记码实务过设备为并还说们对种间门问该术导资体质调转关态时会环续编辑删终脚访询业处现应严绝纯专终机资夹准审阅览仅动",
)
_TAIWANESE = (
    ("档案", "文件"), ("程式码", "代码"), ("程式", "程序"), ("唯读", "只读"), ("网路", "网络"), ("专案", "项目"),
    ("终端机", "终端"), ("上线查", "上网查"), ("连上线", "联网"), ("资料夹", "文件夹"),
)  # fmt: skip
"""Other words for the same things, in simplified characters."""
_DASHES = str.maketrans(dict.fromkeys("—–…【】。、", ","))
_BEGINNINGS = ("解释", "说明", "告诉", "分析", "看", "总结", "帮", "请", "检查", "回答", "列出", "介绍", "直接", "只",
               "先", "不要", "别", "不许", "不准", "禁止", "但", "然后")  # fmt: skip
# ASCII only: a set with one wide character takes 1 ms to compile
_SENTENCE_ENDS = re.compile(r"[!?;\n]+|\.(?=\s|$)")
_CLAUSE_ENDS = re.compile(r"[,:()\[\]|]+|\s-+\s|~+")


class Clause(NamedTuple):
    """A piece of a sentence, in lower case."""

    text: str
    before: str
    """What stands before it in its sentence."""
    is_question: bool
    has_chinese: bool


def clauses_of(words: str) -> Iterator[Clause]:
    """In their order; quoted text, code and quoted lines are gone."""
    text = _folded(_unquoted(words))
    done = 0
    for end in [*_SENTENCE_ENDS.finditer(text), None]:
        sentence = text[done : end.start() if end else len(text)]
        yield from _clauses_in(sentence, is_question=end is not None and "?" in end[0])
        if end is not None:
            done = end.end()


def _clauses_in(sentence: str, *, is_question: bool) -> Iterator[Clause]:
    done = 0
    for end in [*_CLAUSE_ENDS.finditer(sentence), None]:
        text = sentence[done : end.start() if end else len(sentence)].strip(" \t*_#-.")
        if text:
            yield Clause(text, sentence[:done], is_question and end is None, any(map(_is_chinese, text)))
        if end is not None:
            done = end.end()


def _unquoted(words: str) -> str:
    words = words.replace("´", "'")
    text = words.replace("’", "'") if "‘" not in words else words
    for mark, pattern in _MARKED:
        if mark in text:
            text = compiled(pattern).sub("\n" if pattern is _QUOTED_LINE else STAND_IN, text)
    for first, last in _PAIRS:
        if first in text:
            inside = f"[^{re.escape(first + last)}]{{1,{_LONGEST_QUOTE}}}"
            text = compiled(f"{re.escape(first)}{inside}{re.escape(last)}").sub(STAND_IN, text)
    text = text.replace("’", "'")
    return compiled(_SINGLE).sub(STAND_IN, text) if "'" in text else text


def _folded(text: str) -> str:
    """Narrow, lower, simplified; without the blanks beside Chinese characters."""
    if text.isascii():
        return text.lower()
    ended = text.replace("。", ";").replace("…", ";")
    simplified = unicodedata.normalize("NFKC", ended).lower().translate(_TRADITIONAL)
    for word, meaning in _TAIWANESE:
        simplified = simplified.replace(word, meaning)
    plain = _parted(simplified.translate(_DASHES))
    kept = [
        character
        for at, character in enumerate(plain)
        if character not in " \t" or not (_is_chinese(plain[at - 1 : at]) or _is_chinese(plain[at + 1 : at + 2]))
    ]
    return "".join(kept)


def _parted(text: str) -> str:
    """A blank stands for a comma where what follows begins an order of its own."""
    pieces = text.split(" ")
    joined = [
        f",{piece}" if piece.startswith(_BEGINNINGS) and _is_chinese(before[-1:]) else f" {piece}"
        for before, piece in pairwise(pieces)
    ]
    return "".join((pieces[0], *joined))


def _is_chinese(character: str) -> bool:
    return "\u3400" <= character <= "\u9fff"
