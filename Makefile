.PHONY: check
PY := .venv/bin/python

check:  ## lint, types, import rules, fast tests
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/lint-imports
	$(PY) -m pytest -m "not slow" -n 2
