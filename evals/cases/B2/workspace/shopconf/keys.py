"""When two spellings name the same key."""


def same_key(one, other):
    return one.casefold() == other.casefold()
