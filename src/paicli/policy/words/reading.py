"""Reads every clause of the person's words by the tables of its language."""

from paicli.policy.words.chinese import read_chinese
from paicli.policy.words.clauses import clauses_of
from paicli.policy.words.english import read_english
from paicli.policy.words.restriction import Restriction, may_forbid


def read_restrictions(words: str) -> set[Restriction]:
    """What the words forbid the agent."""
    found: set[Restriction] = set()
    for clause in clauses_of(words):
        if not may_forbid(clause.text):
            continue
        found |= read_chinese(clause) if clause.has_chinese else read_english(clause)
    return found
