"""A small quota service on loopback.

    python3 quota_service.py --state FILE

takes a free port and writes {"pid", "port", "instance"} to FILE once it listens. GET /health answers 503 while it warms up, then
200. SIGTERM ends it in order. What it does is written to events.jsonl beside FILE.
"""

import argparse
import json
import os
import secrets
import signal
import sys
import threading
import time
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

WARM_UP_S = 0.6
INSTANCE = secrets.token_hex(6)
STARTED = time.monotonic()


def note(events: Path, event: str, **more: object) -> None:
    line = {"time": time.time(), "pid": os.getpid(), "instance": INSTANCE, "event": event, **more}
    with events.open("a", encoding="utf-8") as out:
        out.write(json.dumps(line) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--state", type=Path, required=True)
    state = parser.parse_args().state
    state.parent.mkdir(parents=True, exist_ok=True)
    events = state.with_name("events.jsonl")

    class Health(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            is_warm = time.monotonic() - STARTED >= WARM_UP_S
            status = (200 if is_warm else 503) if self.path == "/health" else 404
            body: dict[str, object] = {"status": "ok" if is_warm else "starting", "instance": INSTANCE}
            if is_warm:
                body["quota_left"] = zlib.crc32(INSTANCE.encode()) % 900 + 100
            if status == 404:
                body = {"error": "no such page"}
            note(events, "answered", path=self.path, status=status)
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(json.dumps(body).encode())

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Health)
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=server.shutdown).start())
    note(events, "started", port=server.server_port)
    written = state.with_suffix(".part")
    written.write_text(json.dumps({"pid": os.getpid(), "port": server.server_port, "instance": INSTANCE}))
    written.replace(state)
    print(f"listening on port {server.server_port}", flush=True)
    server.serve_forever(poll_interval=0.05)
    note(events, "stopped")
    return 0


if __name__ == "__main__":
    sys.exit(main())
