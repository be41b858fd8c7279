"""Settings from the environment."""

import os


def retention_days() -> int:
    return int(os.environ.get("RETENTION_DAYS", "30"))


def region() -> str:
    return os.environ.get("REGION", "eu")
