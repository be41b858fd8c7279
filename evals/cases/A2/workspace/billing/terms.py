"""Terms of payment by customer group."""

GRACE_DAYS = {"retail": 3, "wholesale": 14}


def grace(group: str) -> int:
    return GRACE_DAYS.get(group, 0)
