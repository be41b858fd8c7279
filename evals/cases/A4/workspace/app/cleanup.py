"""Throws away what is too old."""

from app.config import retention_days


def too_old(age_days: int) -> bool:
    return age_days > retention_days()
