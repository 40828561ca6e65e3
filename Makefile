# Two commands matter: `make demo` and `make test`. Both set everything up first.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python -m

.PHONY: demo test check fuzz bench sanitize setup clean

demo: $(VENV)/.demo system
	@rm -rf runs/demo
	@$(RUN) speciate run circle_packing --preset demo --out runs/demo
	@echo; echo "For the command speciate in this shell: source $(VENV)/bin/activate"

test: $(VENV)/.dev system broker
	@$(RUN) ruff format --check src tests bench
	@$(RUN) ruff check src tests bench
	@$(RUN) mypy
	@$(VENV)/bin/lint-imports
	@$(RUN) pytest --numprocesses=auto --maxprocesses=4 --cov --cov-report=term:skip-covered

check: test

# Property tests with other examples each time: `make fuzz ROUNDS=20`. What fails is remembered in .hypothesis.
ROUNDS ?= 3
fuzz: $(VENV)/.dev system
	@for round in $$(seq $(ROUNDS)); do \
	  HYPOTHESIS_PROFILE=fuzz $(RUN) pytest -m hypothesis --numprocesses=auto --maxprocesses=4 || exit 1; done

bench: $(VENV)/.dev system
	@$(RUN) bench

# The C engines under AddressSanitizer and UndefinedBehaviorSanitizer: vectors, random battles, hostile arguments.
SANITIZE := -fsanitize=address,undefined
sanitize: $(VENV)/.dev
	@CFLAGS="-g1 $(SANITIZE) -fno-sanitize-recover=all -fno-omit-frame-pointer" LDFLAGS="$(SANITIZE)" \
	  $(VENV)/bin/python setup.py -q build --build-base build/sanitize --build-lib build/sanitize/lib
	@LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so)" ASAN_OPTIONS=detect_leaks=0 \
	  PYTHONPATH=build/sanitize/lib $(RUN) pytest -s -p no:cacheprovider \
	  tests/problems/corewar/mars/test_native.py tests/problems/corewar/mars/test_differential.py

setup: $(VENV)/.dev system

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "speciate needs Python 3.11 or newer, this is " + sys.version.split()[0])'
	@$(PYTHON) -m venv $(VENV) || { echo "No venv module: apt-get install python3-venv"; exit 1; }

$(VENV)/.demo: pyproject.toml | $(VENV)/bin/python
	@echo "Installing speciate into $(VENV) (once)"
	@$(RUN) pip install --quiet --disable-pip-version-check -e '.[plot]'
	@touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/bin/python
	@echo "Installing speciate and its test tools into $(VENV) (once, about two minutes)"
	@$(RUN) pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@ $(VENV)/.demo

# Candidates run in bubblewrap. Root on Debian gets it here; everybody else is told the one line that does it.
system:
	@command -v bwrap >/dev/null || { \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    apt-get update -qq && apt-get install -y -qq bubblewrap >/dev/null; \
	  else echo "bubblewrap is missing: sudo apt-get install bubblewrap"; exit 1; fi; }
.PHONY: system

# Tests of exchange over a network start brokers of their own. Without the program they are skipped, loudly.
broker:
	@command -v nats-server >/dev/null || [ -x /usr/sbin/nats-server ] || { \
	  [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	  apt-get update -qq && apt-get install -y -qq nats-server >/dev/null; } || \
	  echo "NO NATS BROKER HERE: its tests will be SKIPPED. sudo apt-get install nats-server"
.PHONY: broker

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage
