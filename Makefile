# The two commands: `make run` and `make test`. `make help` lists the rest.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help

PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.installed
NODE := .venv/node

.PHONY: help setup run gen check audit test test-deploy drills bench bench-load bench-tracker clean

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

setup: $(STAMP) $(NODE)/.installed ## environment in .venv with everything that the other targets need

$(STAMP): pyproject.toml sdk/python/pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@echo "installing into .venv (a few minutes the first time)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e sdk/python -e '.[dev]'
	@touch $(STAMP)

# MCP clients that the tests drive. Where npm is out of reach, those tests are skipped; in CI that is a failure.
$(NODE)/.installed: tests/conformance/package.json | $(STAMP)
	@mkdir -p $(NODE) && cp tests/conformance/package.json $(NODE)/
	@if PATH="$(CURDIR)/$(BIN):$$PATH" npm install --prefix $(NODE) --ignore-scripts --omit=optional --omit=peer \
	  --no-package-lock --no-audit --no-fund --no-update-notifier --loglevel=error >/dev/null; then touch $@; \
	elif [ "$${CI:-}" = true ]; then exit 1; else echo "npm is out of reach: tests of its MCP clients will be skipped"; fi

run: $(STAMP) ## serve on 127.0.0.1:7777 with the demo record, data in ./.loom
	$(BIN)/loom serve --demo --data .loom

gen: setup ## regenerate everything derived from the contract and the code
	$(BIN)/python -m tools.gen

check: setup ## style, layer rules, contract rules, drift of generated files
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/pytest tests/contract

audit: $(STAMP) ## known vulnerabilities of the pinned versions; needs the network
	$(BIN)/python -m tools.audit

# Tests of whole processes may have a second try (tests/conftest.py); it is printed with its traceback, and five are the most.
test: setup ## every test; deploy tests included
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	$(BIN)/pytest -n 2 --dist loadfile --max-suite-reruns 5 --rerun-show-tracebacks

test-deploy: setup ## what concerns the edge and the cluster alone
	$(BIN)/pytest tests/deploy

drills: setup ## the failure drills in their long form, with their table
	LOOM_DRILLS=long $(BIN)/pytest -p no:randomly tests/deploy/test_drills_cluster.py tests/deploy/test_drills_disk.py

bench: setup ## measure, and print tables; a quiet machine gives better numbers
	$(BIN)/python -m tests.bench

bench-tracker: setup ## duplicates and links beside plain methods, on labelled records in LOOM_BENCH_DATA (../shared/data)
	$(BIN)/python -m tests.bench.tracker_similar

bench-load: setup ## mixed ops by one process and behind Envoy; SOAK=600 adds ten minutes of each
	$(BIN)/python -m tests.bench load --rounds 3
	@if [ -n "$${SOAK:-}" ]; then $(BIN)/python -m tests.bench load --soak "$$SOAK"; fi

clean: ## remove the environment and caches, never data
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis .import_linter_cache build *.egg-info sdk/python/*.egg-info
