# Everything is installed in .venv from locks with verified hashes, independent of the user's settings.
PYTHON ?= python3
VENV := .venv
# Peers: other programs that benchmarks compare with ours.
PEERS := .venv-bench
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install -qq --disable-pip-version-check
# The parts whose every branch is tested.
COVERED := src/chouine/cards.py,src/chouine/errors.py,src/chouine/rules/*,src/chouine/partie/*,src/chouine/match/*,src/chouine/notation/*
# Their tests; all others run without the tracer, more than twice as fast.
MEASURED := match notation partie rules
# What `make check` leaves to `make test`: what is compiled, plays at length, or starts servers.
LONG := ai arena art attack benchmarks book browser cli/test_advise.py cli/test_analyse.py cli/test_engine.py cli/test_play.py envs howto \
	fast faults server/durability server/http server/offline/test_kernels.py server/offline/test_same_pages.py \
	server/tables test_examples.py test_readme.py test_site.py
# Tests with a server mostly wait: five processes more than cores keep all cores busy. Browsers compute: one more is enough.
CORES := $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
PYTEST := $(BIN)/pytest -q -rfE --dist worksteal -n
FEW := $(shell echo $$(($(CORES) + 1)))
MANY := $(shell echo $$(($(CORES) + 5)))
# Debian packages that the tests need.
SYSTEM := caddy chromium curl firefox-esr hunspell hunspell-en-gb hunspell-fr postgresql redis-server systemd webkit2gtk-driver xvfb
# Needs a tenth of chromium's processor time; where it is missing, chromium is used.
LIGHT := chromium-headless-shell

# Python for browsers: not part of the package; served if present.
RUNTIME := src/chouine/server/offline/runtime
KERNELS := src/chouine/ai/kernels.wasm.gz
WASM := --platform pyemscripten_2026_0_wasm32 --python-version 314 --only-binary :all: --no-deps --require-hashes

OLDEST := tests/browser/oldest

export PYTHONNOUSERSITE := 1
unexport PYTHONPATH PYTHONHOME VIRTUAL_ENV PYTHONDONTWRITEBYTECODE
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help play test check compiled lint format types messages pages layers collected measured unit browsers nightly oldest audit bench bench-server site pictures lock hooks offline desktop package version release sbom system clean

help: ## list what make can do
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 16

play: $(VENV)/.play ## install what is needed and open the table in a browser
	@trap : INT; $(BIN)/chouine serve $(SERVE) || { \
		status=$$?; [ $$status -eq 130 ] || exit $$status; \
		echo; echo "Chouine : la table est fermée, vos matchs sont gardés. (The table is closed, your matches are kept.)"; }

test: $(VENV)/.dev node_modules/.package-lock.json ## every check that a change must pass
	@$(BESIDE) types offline & other=$$!; $(BESIDE) compiled lint pages layers collected measured || failed=yes; \
	wait $$other && [ -z "$$failed" ]
	@$(BESIDE) --keep-going unit browsers
# mypy and the browser kernels keep one core busy for a minute each after a fresh clone, beside the rest.
BESIDE := $(MAKE) --no-print-directory -o node_modules/.package-lock.json

check: lint layers ## the checks for between two edits: no browser, no database server, nothing compiled
	@$(BESIDE) types & other=$$!; \
	$(PYTEST) $(CORES) -m 'not nightly and not serving and not long' tests $(LONG:%=--ignore=tests/%) || failed=yes; \
	wait $$other && [ -z "$$failed" ]

lint: $(VENV)/.dev ## style and formatting
	@$(BIN)/ruff check -q
	@$(BIN)/ruff format -q --check

format: $(VENV)/.dev ## put style and formatting right where a program can
	@$(BIN)/ruff check -q --fix
	@$(BIN)/ruff format -q

types: $(VENV)/.dev ## mypy, strictly
	@$(BIN)/mypy --no-error-summary

messages: $(VENV)/.dev ## find every sentence in the sources and compile the French catalogue
	@$(BIN)/python -m tools.messages

pages: node_modules/.package-lock.json ## the types of the pages' JavaScript, and that the oldest supported browsers have all it uses
	@[ ! -d node_modules/typescript ] || { node_modules/.bin/tsc --project tsconfig.json && \
		node_modules/.bin/tsc --project tsconfig.workers.json && node tools/floor.mjs; }

layers: $(VENV)/.dev ## who may import whom
	@report=$$($(BIN)/lint-imports --no-logo 2>&1) || { echo "$$report"; exit 1; }

collected: $(VENV)/.dev # once for all processes of tests: otherwise each would compile every module for itself
	@report=$$($(BIN)/pytest -qq --collect-only) || { echo "$$report"; exit 1; }

measured: $(VENV)/.dev compiled ## the tests of the rules and what stands on them, which must reach every branch
	@$(PYTEST) $(FEW) --cov --cov-report= $(MEASURED:%=tests/%)
	@report=$$($(BIN)/coverage report --include='$(COVERED)' --fail-under=100) || { echo "$$report"; exit 1; }

unit browsers nightly: $(VENV)/.dev offline node_modules/.package-lock.json system compiled

unit: ## all other tests but those in browsers
	@$(PYTEST) $(MANY) $(MEASURED:%=--ignore=tests/%) --ignore=tests/browser

browsers: ## the tests in browsers
	@$(PYTEST) $(FEW) tests/browser

compiled: $(VENV)/.dev # once for all tests and runs: otherwise each of their processes would compile the same
	@$(BIN)/python -m tests.compiled

nightly: oldest ## all tests, also those that are too long for every change
	@$(PYTEST) $(MANY) -m '' --hypothesis-profile=nightly --ignore=tests/browser || failed=yes; \
	$(PYTEST) $(FEW) -m '' --hypothesis-profile=nightly tests/browser && [ -z "$$failed" ]

audit: $(VENV)/.dev node_modules/.package-lock.json ## known faults of what is locked, as the registries tell them: asks the internet
	@for lock in play fast dev; do $(BIN)/uv tool run -q pip-audit --strict --disable-pip --require-hashes -r requirements/$$lock.txt || exit; done
	@npm audit

sbom: $(VENV)/.dev ## list in dist/chouine.cdx.json what a server is made of (CycloneDX): asks the internet
	@mkdir -p dist
	@cat requirements/play.txt requirements/fast.txt >dist/locked.txt
	@$(BIN)/uv tool run -q --from cyclonedx-bom==7.3.0 cyclonedx-py requirements --pyproject pyproject.toml \
		--output-reproducible -o dist/chouine.cdx.json dist/locked.txt; status=$$?; rm -f dist/locked.txt; exit $$status

bench: $(VENV)/.dev $(PEERS)/.bench ## measure speed, beside others
	@$(BIN)/python -m benchmarks

bench-server: $(VENV)/.dev system ## measure the server under load
	@$(BIN)/python -m benchmarks.server --all

site: $(VENV)/.dev offline ## build the site, French and English, into build/site
	@$(BIN)/python -m tools.site

pictures: $(VENV)/.dev system ## photograph the table for the README
	@$(BIN)/python -m tests.browser.pictures

desktop: $(VENV)/.dev $(KERNELS) ## make dist/Chouine, a folder with a program to start by a double click, and try it
	@$(PYTHON) -m venv --clear $(VENV)-desktop
	@$(BIN)/uv pip install -q --python $(VENV)-desktop/bin/python --require-hashes -r requirements/play.txt -r requirements/desktop.txt
	@$(BIN)/uv pip install -q --python $(VENV)-desktop/bin/python --no-deps --no-build-isolation . packaging/chouine-table
	@$(VENV)-desktop/bin/python -m PyInstaller --noconfirm --log-level ERROR --distpath dist --workpath build packaging/desktop/chouine.spec
	@$(BIN)/python -m tools.desktop dist/Chouine

offline: $(RUNTIME)/.complete $(KERNELS) ## fetch Python for browsers, so that Chouine can be taken along and played without a network

oldest: $(OLDEST)/node_modules/chromium # the oldest Chromium that the pages support, for one test

lock: $(VENV)/.dev ## choose versions anew and write the locks
	@$(call compile,requirements/play.txt,--group build --extra server)
	@$(call compile,requirements/fast.txt,--extra fast)
	@$(call compile,requirements/dev.txt,--group dev --extra server --extra wasm --extra fast --extra research --extra parquet)
	@$(call compile,requirements/bench.txt,--group bench)
	@$(call compile,requirements/desktop.txt,--group desktop --extra wasm)
compile = $(BIN)/uv pip compile -q --upgrade --universal --python-version 3.11 --generate-hashes --no-annotate \
	--no-emit-index-url --no-emit-find-links --custom-compile-command 'make lock' $(2) -o $(1) pyproject.toml

# The same checks as .pre-commit-config.yaml, without the program pre-commit.
hooks: $(VENV)/.dev ## have Git check style and commit messages before each commit
	@printf '#!/bin/sh\nexec python3 tools/commit_message.py "$$1"\n' >"$$(git rev-parse --git-path hooks)/commit-msg"
	@printf '#!/bin/sh\nexec make -s lint types layers\n' >"$$(git rev-parse --git-path hooks)/pre-commit"
	@chmod +x "$$(git rev-parse --git-path hooks)/commit-msg" "$$(git rev-parse --git-path hooks)/pre-commit"

package: $(VENV)/.dev $(KERNELS) ## build the package as published and try it in an empty environment
	@$(BIN)/python -m tools.package

version: $(VENV)/.dev ## set VERSION wherever it is written
	@$(BIN)/python -m tools.release set "$(VERSION)"

release: $(VENV)/.dev ## check and build everything of VERSION, and tag it
	@$(BIN)/python -m tests.stable.inventories
	@$(BIN)/python -m tools.release check "$(VERSION)"
	@$(MAKE) --no-print-directory package desktop site
	@$(BIN)/python -m tools.release tag "$(VERSION)"

# Without root or apt-get nothing is installed; the tests then say what they leave out.
system: # install what is missing of $(SYSTEM), and npm unless it is there, wherever it came from
	@[ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null || exit 0; \
	install() { apt-get update -qq && apt-get install -qq --no-install-recommends "$$@"; }; \
	missing=$$(for p in $(SYSTEM); do dpkg -s $$p >/dev/null 2>&1 || echo $$p; done; \
	command -v npm >/dev/null || echo nodejs npm); \
	[ -z "$$missing" ] || install $$missing >/dev/null || exit; \
	command -v $(LIGHT) >/dev/null || install $(LIGHT) >/dev/null 2>&1 || :

clean: ## remove the environment and what the tools left
	@rm -rf $(VENV) $(PEERS) node_modules .coverage* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Chouine needs Python 3.11 or newer.")'
	@$(PYTHON) -m venv $(VENV)

# If no wheel of numba exists for this machine the table works without it.
$(VENV)/.play: requirements/play.txt requirements/fast.txt pyproject.toml | $(BIN)/python
	@echo "Chouine : installation, une fois pour toutes… (installing, once)" >&2
	@$(INSTALL) --require-hashes -r $<
	@$(INSTALL) --require-hashes --only-binary :all: -r requirements/fast.txt 2>/dev/null || \
		echo "Chouine : numba n'existe pas pour cette machine, sans lui les niveaux 7 et 8 ne jouent pas." \
		"(There is no numba for this machine; without it levels 7 and 8 do not play.)" >&2
	@$(INSTALL) --no-build-isolation --no-deps -e .
	@touch $@

# uv takes an eighth of pip's processor time; pip knows the settings of machines where uv reaches no registry. What `play`
# needs is among it.
$(VENV)/.dev: requirements/dev.txt pyproject.toml | $(BIN)/python
	@awk '/^[^ ]/ { uv = /^uv==/ } uv' $< >$(VENV)/uv.txt && $(INSTALL) --require-hashes -r $(VENV)/uv.txt
	@$(BIN)/uv pip install -q --system-certs --python $(BIN)/python --require-hashes -r $< 2>/dev/null || \
		$(INSTALL) --require-hashes -r $<
	@$(INSTALL) --no-build-isolation --no-deps -e .
	@touch $(VENV)/.play $@

# Without npm the table works, without the offline copy.
$(RUNTIME)/.complete: requirements/offline.txt package-lock.json node_modules/.package-lock.json tools/offline.py | $(VENV)/.dev
	@[ -d node_modules/pyodide ] || exit 0; mkdir -p $(RUNTIME) && \
	$(BIN)/python -m pip download -qq --disable-pip-version-check $(WASM) -r requirements/offline.txt -d $(RUNTIME) && \
	$(BIN)/python -m tools.offline node_modules/pyodide && touch $@

# The rules and the network as WebAssembly, for browsers and desktops without numba; without it they have levels 1 to 6.
$(KERNELS): tools/wasm.py $(shell find src/chouine/rules src/chouine/fast src/chouine/ai src/chouine/players -name '*.py') | $(VENV)/.dev
	@$(BIN)/python -c 'import numba' 2>/dev/null || exit 0; $(BIN)/python -m tools.wasm $@

# A peer that cannot be installed is reported and skipped; the next run tries again.
$(PEERS)/.bench: requirements/bench.txt | $(VENV)/.dev
	@$(PYTHON) -m venv --clear $(PEERS)
	@failed=; for peer in endplay open-spiel pgx rlcard schnapsen; do \
		$(BIN)/uv pip install -q --python $(PEERS)/bin/python --verify-hashes -c $< $$peer || failed=yes; \
	done; [ -n "$$failed" ] || touch $@

node_modules/.package-lock.json: package.json package-lock.json | system
	@command -v npm >/dev/null || { \
		echo "Left out: the types of the pages' JavaScript (no npm: install it)"; [ "$$CI" != true ]; exit; }; \
	npm ci --loglevel=error >/dev/null && touch $@

# A package's own program, as it was in 2021: 46 MB, compressed by brotli, which Node reads.
UNPACK := fs.writeFileSync(process.argv[2], zlib.brotliDecompressSync(fs.readFileSync(process.argv[1])), {mode: 0o755})
$(OLDEST)/node_modules/chromium: $(OLDEST)/package-lock.json | system
	@command -v npm >/dev/null || exit 0; npm ci --prefix $(OLDEST) --ignore-scripts --loglevel=error >/dev/null && \
	node -e '$(UNPACK)' $(OLDEST)/node_modules/chrome-aws-lambda/bin/chromium.br $@
