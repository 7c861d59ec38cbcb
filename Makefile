# Everything that the project needs is installed into .venv, once, as locks/ says; a change of the sources reinstalls
# the package itself. `make verify` does the main job, `make test` runs the tests.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
SOURCES := pyproject.toml README.md cli.py man/verify.1 $(shell find verifier -name '*.py' -o -name '*.pyi' -o -name '*.txt' -o -name '*.page' -o -name '*.brasp' -o -name '*.md' -o -path '*/report/page.*')
JOBS := $(shell nproc 2>/dev/null || echo 2)

# Modules are compiled once, not in each of the thousand processes that the tests start.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: verify test test-slow test-all torture browser regress coq coq-facts reader coq-mutants bench check docs npm lock clean

verify: .venv/installed
	.venv/bin/verify --d 1 --n 3 --N 4

# What a change of the code is tried with: every claim, engine, format and lie. What starts clusters, kills processes,
# compiles, builds packages or runs every command of the docs is marked slow; of what takes long in all the first case is
# run, and the test is marked thorough. All the others are `make test-slow`; with PART=2/3 it is the second third of them,
# by their names. CI runs a fifth, which one follows from the commit; .github/workflows/thorough.yml runs all, each week.
TESTS = .venv/bin/python -m pytest -n $(JOBS) --dist worksteal

test: .venv/installed-test
	$(TESTS) -m "not coq and not slow and not rest"
	@echo "These were the quick tests. Left out, and run by:"
	@echo "  make test-slow    clusters, killed processes, packages, every command of the docs   (CI: a fifth, by its commit)"
	@echo "  make coq          the proofs in Coq; make coq-mutants: changes that break them      (CI: all; a fifth)"
	@echo "  make torture      everything that can go wrong, done on purpose                     (CI: QUICK=1)"
	@echo "  make browser      the pages in a real browser                                       (CI: all)"
	@echo "All but the last run each Monday: .github/workflows/thorough.yml."

test-slow: .venv/installed-test
	$(TESTS) $(if $(PART),--part $(PART)) -m "(slow or rest) and not coq"

test-all: test test-slow

# Everything that can go wrong, done on purpose: ten minutes, with QUICK=1 about one; CASE="kills 3" is one case.
torture: .venv/installed-test
	cd tests && ../.venv/bin/python -m torture $(if $(QUICK),--quick) $(CASE)

# The report page, and the one that runs pages, in a real browser.
browser: .venv/installed-browser npm
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
	@$(MAKE) -s coq-facts

# The symbolic facts (verifier prove) for all d, n and N: a file made from their text and its proof, compiled and checked.
coq-facts:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed to make the symbolic facts, and none was found" >&2; exit 3; }
	@mkdir -p build/facts
	@$(PYTHON) -m verifier.coq.facts proofs/symbolic/all.json > build/facts/Facts.v
	@cd build/facts && coqc -q Facts.v > said && coqchk -silent -norec Facts && \
	 [ "$$(sort -u said)" = "Closed under the global context" ] || { cat said; exit 1; }
	@echo "$$(grep -c '^Lemma' build/facts/Facts.v) lemmas of the symbolic facts rest on no axiom"

# The checker of pages that is proved, as a program: what `verify check --proved` runs. Optional.
reader:
	@command -v coqc >/dev/null && ocamlfind query zarith >/dev/null 2>&1 || { \
	  echo "Coq, OCaml and Zarith are needed; on Debian: apt-get install coq ocaml ocaml-findlib libzarith-ocaml-dev" >&2; exit 3; }
	$(MAKE) -j$(JOBS) -C proofs/coq program
	@mkdir -p .venv/bin && cp proofs/coq/reader/program/verifier-reader .venv/bin/ && echo ".venv/bin/verifier-reader"

# After `make coq`: changes of definitions and statements, each of which has to break a proof; and the bridge of Theorems 2 and 3.
coq-mutants: .venv/installed-test
	@test -s proofs/coq/.checked || { echo "the proofs aren't built here: make coq" >&2; exit 3; }
	.venv/bin/python -m pytest -n $(JOBS) --dist worksteal $(if $(PART),--part $(PART)) -m coq tests/test_coq*.py

bench: .venv/installed
	.venv/bin/python benchmarks/run.py --json bench.json

check: .venv/installed-lint
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy

# The site, into site/: any warning, a dead link too, stops it.
docs: .venv/installed-docs npm
	.venv/bin/python -m sphinx -aE -W --keep-going -q -d build/doctrees docs site
	@echo "site/index.html"

# Python for browsers (Pyodide), which the site's page try/ runs the checker with: what locks/npm/ says, to the byte.
npm:
	@if command -v npm >/dev/null; then $(MAKE) -s build/npm/installed; \
	 else echo "npm is missing (on Debian: apt-get install npm): site/try/ is made WITHOUT what runs pages" >&2; fi

build/npm/installed: locks/npm/package.json locks/npm/package-lock.json
	mkdir -p build/npm
	cp locks/npm/*.json build/npm/
	cd build/npm && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
	@touch $@

# --without-pip and `pip --python`, so that no distribution's extra venv package is needed.
.venv/bin/python:
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer with pip is needed, and none was found" >&2; exit 3; }
	@$(PYTHON) -m venv --without-pip .venv

# What is installed is what locks/ says, to the byte; the package itself is built by what is installed. --no-deps: a
# lock is complete. $(call install,WHAT,ARGUMENTS) says what; pip's own words are shown if it fails.
PIP = $(PYTHON) -m pip --python .venv/bin/python --disable-pip-version-check install --quiet
install = @echo "installing $(1) into .venv"; said=$$($(PIP) $(2) 2>&1) || { printf '%s\n' "$$said" >&2; exit 1; }

.venv/installed: .venv/bin/python locks/run.txt $(SOURCES)
	$(call install,what it needs (locks/run.txt),--no-deps --require-hashes -r locks/run.txt)
	$(call install,verifier,--no-deps --no-build-isolation .)
	@touch $@

.venv/installed-%: .venv/installed locks/%.txt
	$(call install,locks/$*.txt,--no-deps --require-hashes -r locks/$*.txt)
	@touch $@

# The locks anew, from pyproject.toml: the newest versions, for every Python and system that is supported.
lock: .venv/bin/python
	$(call install,uv,uv)
	UV=.venv/bin/uv bash locks/renew.sh

clean:
	rm -rf .venv build dist site
	$(MAKE) -C proofs/coq clean
