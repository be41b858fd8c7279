"""The least that can do the job, as the floor: `python bare_loop.py BASE_URL`. Standard library, one file, no care."""

import http.client
import json
import subprocess
import sys
from typing import Any
from urllib.parse import urlsplit

TOOL = {
    "type": "function",
    "function": {
        "name": "execute_command",
        "parameters": {"type": "object", "properties": {"command": {"type": "string"}}},
    },
}


def ask(connection: http.client.HTTPConnection, path: str, messages: list[Any]) -> dict[str, Any]:
    body = json.dumps({"model": "bench-1", "stream": True, "messages": messages, "tools": [TOOL]})
    connection.request("POST", path, body, {"Content-Type": "application/json"})
    call: dict[str, Any] = {}
    text = ""
    for line in connection.getresponse().read().splitlines():
        if not line.startswith(b"data: {"):
            continue
        for choice in json.loads(line[6:])["choices"]:
            text += choice["delta"].get("content") or ""
            for part in choice["delta"].get("tool_calls", ()):
                call.setdefault("id", part.get("id"))
                call["arguments"] = call.get("arguments", "") + part["function"]["arguments"]
    return {"text": text, "call": call}


def main() -> None:
    url = urlsplit(sys.argv[1])
    connection = http.client.HTTPConnection(url.hostname or "", url.port)
    messages: list[Any] = [{"role": "user", "content": "go"}]
    while True:
        reply = ask(connection, f"{url.path}/chat/completions", messages)
        call = reply["call"]
        if not call:
            print(reply["text"])
            return
        command = json.loads(call["arguments"])["command"]
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
        function = {"name": "execute_command", "arguments": call["arguments"]}
        asked = {"id": call["id"], "type": "function", "function": function}
        messages.append({"role": "assistant", "tool_calls": [asked]})
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": f"{done.stdout}{done.returncode}"})


if __name__ == "__main__":
    main()
