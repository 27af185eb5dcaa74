# Everything is done by packaging/bootstrap.py, in .venv; each step is skipped once it is done.
PYTHON ?= $(or $(shell command -v python3),$(shell command -v python))
BOOTSTRAP = @if [ -z "$(PYTHON)" ]; then \
	echo "$@: there is no Python here; install 3.11 to 3.14 (Debian, Ubuntu: apt install python3 python3-venv)" >&2; exit 1; \
	fi; exec "$(PYTHON)" packaging/bootstrap.py

.DEFAULT_GOAL := help
.PHONY: help run test check bench setup clean

help: ## say what can be made
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-6s  %s\n", $$1, $$2 }' Makefile

run: ## set up, fetch the starter models, start the daemon, open the terminal interface
	$(BOOTSTRAP) run

test: ## set up and run every test
	$(BOOTSTRAP) test

check: ## lint, types, import rules, fast tests
	$(BOOTSTRAP) check

bench: ## run the benchmarks and print their tables
	$(BOOTSTRAP) bench

setup: ## only set up .venv, with the tools for development
	$(BOOTSTRAP) dev

clean: ## remove what was set up here; memory and models stay
	$(BOOTSTRAP) clean
