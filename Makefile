# Every target makes its own .venv when there is none; nothing is installed outside it.
PYTHON ?= python3
HARBOR_PYTHON ?= python3.12
BIN := .venv/bin

.PHONY: help demo test explore check bench evals mutations smoke harbor-contract schemas clean

help: ## what can be made
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /make \1\t/'

.venv/ready: pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e '.[dev]'
	@touch $@

demo: .venv/ready ## plan, review and run a sample project: no network, no key
	@$(BIN)/paicli demo --yes

test: .venv/ready ## run the tests
	@$(BIN)/python -m pytest

explore: .venv/ready ## look for examples that break a rule: fresh ones, twenty times as many (15 min)
	@$(BIN)/python -m pytest -m hypothesis --hypothesis-profile=explore --timeout=1200

check: .venv/ready ## format, lint, types, architecture
	@$(BIN)/ruff format --no-cache --check .
	@$(BIN)/ruff check --no-cache .
	@$(BIN)/pyright
	@$(BIN)/python -m pytest tests/test_architecture.py

bench: .venv/ready ## measure speed and size
	@$(BIN)/python -m benchmarks

evals: .venv/ready ## run every case on its prepared conversations: proves the graders
	@$(BIN)/python -m evals run --bring --out evals/results

mutations: .venv/ready ## break good journals in every way the replayer must catch, and count what it caught
	@$(BIN)/python -m evals mutations

smoke: .venv/ready ## a real llama.cpp server and a tiny model (downloads 310 MB into .smoke)
	@$(BIN)/python -m evals.smoke

harbor-contract: ## the Harbor adapter against Harbor itself, in .venv-harbor (Python >= 3.12)
	@test -x .venv-harbor/bin/python || $(HARBOR_PYTHON) -m venv .venv-harbor
	@.venv-harbor/bin/python -m pip install -q --disable-pip-version-check harbor
	@.venv-harbor/bin/python -m evals.harbor.contract_check

schemas: .venv/ready ## write the stored tool schemas anew from their models
	@$(BIN)/python -m paicli.app.write_schemas

clean: ## remove the virtual environment and caches
	@rm -rf .venv .venv-harbor .smoke .pytest_cache .ruff_cache .hypothesis
