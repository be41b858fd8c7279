"""Says how long things are kept."""

from app.config import retention_days


def footer() -> str:
    return f"kept for {retention_days()} days (RETENTION_DAYS)"
