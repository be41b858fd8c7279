"""Reads every clause of the person's words by the tables of its language."""

from paicli.policy.words.chinese import read_chinese
from paicli.policy.words.clauses import clauses_of
from paicli.policy.words.english import read_english
from paicli.policy.words.patterns import compiled
from paicli.policy.words.restriction import Restriction, may_forbid

_KEEP = (
    r"(?:记住|记下来?|记一下|记着|(?:存|写|保存|加|记录?)(?:入|到|进)(?:你的)?记忆|保存记忆)|"
    r"\b(?:remember|memori[sz]e|"
    r"(?:save|add|store|put|write|commit) (?:this |it |that |these |them )?(?:in|to|into) (?:your |the )?memory)\b"
)
_KEEP_NOT = (
    r"(?:不要|别|不用|无需|不必|没|没有|不|忘了|是否|能否|怎么|如何|实现|功能|用户|按钮|页面|上次)[^,;]{0,4}$|"
    r"(?:don't|do not|never|not|didn't|can't|cannot|do you|did you|i|we|users?|it|to|that|which|if you|why|how)\s+$"
)
_KEEP_THING = r"\s*(?:me\b(?= (?:checkbox|option|button|cookie|token|box|feature|login))|密码|登录|账号|me\b$)"

_CHANGE_THIS = (
    r"(?:请|你|帮我|我要你|并|然后|所以|^)(?:只|仅)(?:能|可以|允许|需要?|要|许)?(?:改|修改|改动|动|编辑|修|写)"
    r"(?!动|改|一处)[▢\w./*-]+|"
    r"^(?:please |you may |you can )?(?:only|just) (?:change|edit|modify|touch|fix) (?!if\b)\S+"
)
"""Names the one thing that is to be changed: what else is forbidden is about the rest."""


def read_restrictions(words: str) -> set[Restriction]:
    """What the words forbid the agent."""
    found: set[Restriction] = set()
    clauses = list(clauses_of(words))
    for clause in clauses:
        if not may_forbid(clause.text):
            continue
        found |= read_chinese(clause) if clause.has_chinese else read_english(clause)
    if Restriction.READ_ONLY in found and any(compiled(_CHANGE_THIS).search(clause.text) for clause in clauses):
        found.remove(Restriction.READ_ONLY)
    return found


def asks_to_keep(words: str) -> bool:
    """Whether the words ask to remember something; telling of it, or of a product that does, is no asking."""
    for clause in clauses_of(words):
        for match in compiled(_KEEP).finditer(clause.text):
            is_denied = compiled(_KEEP_NOT).search(clause.text[: match.start()])
            if not is_denied and not compiled(_KEEP_THING).match(clause.text[match.end() :]):
                return True
    return False
