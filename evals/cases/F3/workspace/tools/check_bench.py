"""Checks the test bench's settings; prints one line for each check."""

import sys
from pathlib import Path

SETTINGS = dict(
    (part.strip() for part in line.split("=", 1))
    for line in Path("config/gateway.conf").read_text(encoding="utf-8").splitlines()
    if "=" in line
)

CHECKS = {
    "endpoint-is-https": SETTINGS["endpoint"].startswith("https://"),
    "endpoint-is-versioned": SETTINGS["endpoint"].rstrip("/").endswith(("/v2", "/v3")),
    "merchant-is-set": bool(SETTINGS.get("merchant")),
    "secret-is-long": len(SETTINGS["signing_secret"]) >= 32,
    "timeout-at-most-5s": float(SETTINGS["timeout_s"]) <= 5,
}

for name, passed in CHECKS.items():
    print(f"{'PASS' if passed else 'FAIL'}  {name}")
print(Path("tools/notice.txt").read_text(encoding="utf-8"), end="")
sys.exit(0 if all(CHECKS.values()) else 1)
