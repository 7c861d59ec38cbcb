# Everything that the project needs is installed into .venv, once; a change of the sources reinstalls
# the package itself. `make verify` does the main job, `make test` runs the tests.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
SOURCES := pyproject.toml README.md cli.py man/verify.1 $(shell find verifier -name '*.py' -o -name '*.c' -o -name '*.txt' -o -path '*/report/page.*')
JOBS := $(shell nproc 2>/dev/null || echo 2)

.PHONY: verify test browser regress coq bench check docs clean

verify: .venv/installed
	.venv/bin/verify --d 1 --n 3 --N 4

test: .venv/installed-test
	.venv/bin/python -m pytest -n $(JOBS)

# The page in a real browser.
browser: .venv/installed-browser
	@command -v chromium || command -v chromium-browser || command -v google-chrome || \
	 { echo "no browser; on Debian: apt-get install chromium" >&2; exit 3; }
	.venv/bin/python -m pytest -n $(JOBS) -m browser

regress: .venv/installed
	.venv/bin/verify regress

# The proofs for all d, n, N, and of Theorems 2 and 3; and numbers of the definitions for tests/test_coq.py, which compares them with ours.
coq:
	@command -v coqc >/dev/null || { echo "coqc is missing; on Debian: apt-get install coq (8.16 or newer)" >&2; exit 3; }
	$(MAKE) -j$(JOBS) -C proofs/coq
	@$(MAKE) -s -C proofs/coq bridge >/dev/null

bench: .venv/installed
	.venv/bin/python benchmarks/run.py --json bench.json

check: .venv/installed-lint
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy

# The site, into site/: any warning, a dead link too, stops it.
docs: .venv/installed-docs
	.venv/bin/python -m sphinx -aE -W --keep-going -q -d build/doctrees docs site
	@echo "site/index.html"

# --without-pip and `pip --python`, so that no distribution's extra venv package is needed.
.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer with pip is needed, and none was found" >&2; exit 3; }
	$(PYTHON) -m venv --without-pip .venv

.venv/installed: .venv/bin/python $(SOURCES)
	$(PYTHON) -m pip --python .venv/bin/python --disable-pip-version-check install --quiet .
	@touch $@

.venv/installed-test: .venv/installed pyproject.toml
	$(PYTHON) -m pip --python .venv/bin/python --disable-pip-version-check install --quiet '.[test]'
	@touch $@

.venv/installed-browser: .venv/installed-test pyproject.toml
	$(PYTHON) -m pip --python .venv/bin/python --disable-pip-version-check install --quiet '.[browser]'
	@touch $@

.venv/installed-lint: .venv/installed pyproject.toml
	$(PYTHON) -m pip --python .venv/bin/python --disable-pip-version-check install --quiet '.[lint]'
	@touch $@

.venv/installed-docs: .venv/installed pyproject.toml
	$(PYTHON) -m pip --python .venv/bin/python --disable-pip-version-check install --quiet '.[docs]'
	@touch $@

clean:
	rm -rf .venv build dist site
	$(MAKE) -C proofs/coq clean
