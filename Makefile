# Every target makes its own .venv when there is none; nothing is installed outside it.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: help demo test check bench evals schemas clean

help: ## what can be made
	@grep -E '^[a-z]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## /make \1\t/'

.venv/ready: pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[dev]'
	@touch $@

demo: .venv/ready ## plan, review and run a sample project: no network, no key
	@$(BIN)/paicli demo --yes

test: .venv/ready ## run the tests
	@$(BIN)/python -m pytest

check: .venv/ready ## format, lint, types, architecture
	@$(BIN)/ruff format --no-cache --check .
	@$(BIN)/ruff check --no-cache .
	@$(BIN)/pyright
	@$(BIN)/python -m pytest tests/test_architecture.py

bench: .venv/ready ## measure speed and size
	@$(BIN)/python -m benchmarks

evals: .venv/ready ## run every case on its prepared conversations: proves the graders
	@$(BIN)/python -m evals run --out evals/results

schemas: .venv/ready ## write the stored tool schemas anew from their models
	@$(BIN)/python -m paicli.app.write_schemas

clean: ## remove the virtual environment and caches
	@rm -rf .venv .pytest_cache .ruff_cache .hypothesis
