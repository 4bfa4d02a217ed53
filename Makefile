# The few commands that this project has. `make rehearse` is the one to begin with.
PYTHON ?= python3
BIN := .venv/bin

# Two workers take whole files of tests, or all files that share a fleet, the longest first
# (tests/tiers).
PARALLEL := -n 2 --dist loadscope --no-loadscope-reorder

SITE := .site

# Versions stay as they are in the file that is written, but for those that requirements*.in moves.
# Renovate reads the command from the header that it leaves, and takes options with `=` only.
LOCK := $(BIN)/uv pip compile --universal --python-version=3.11.2 --generate-hashes --quiet

.PHONY: rehearse down test test-quick test-changed test-end-to-end test-real-providers test-operator durations soak mutants check toolchain
.PHONY: policies preview bench clean lock schema samples pictures setup dist sbom docs site

rehearse: setup  ## bring the rehearsal fleet up on this machine and check it
	$(BIN)/daskfleet rehearse up

down: setup  ## end the rehearsal and delete what it left
	$(BIN)/daskfleet rehearse down

test: setup policies docs/.venv/.installed  ## every test, and those of `make soak` whose turn it is at this commit
	$(BIN)/pytest $(PARALLEL) --soak=turn

test-quick: setup docs/.venv/.installed  ## what needs neither a control plane nor real Dask processes nor Go
	$(BIN)/pytest $(PARALLEL) -m "not rehearsal and not soak"

test-changed: setup policies docs/.venv/.installed  ## what the change since main can affect; it says what and why
	$(BIN)/python -m tests.changed $(PARALLEL)

test-end-to-end: setup policies  ## what test-quick leaves out; SHARD=1/3 takes a part of it
	$(BIN)/pytest $(PARALLEL) -m "rehearsal or soak" --soak=turn $(if $(SHARD),--shard=$(SHARD))

test-real-providers: setup policies  ## the fleet's tests with Pulumi's own plugins, which are downloaded
	$(BIN)/pytest $(PARALLEL) -m rehearsal --providers=real tests/rehearsal/end_to_end

test-operator: setup  ## dask-kubernetes' own tests of its operator, which are downloaded, on the control plane
	$(BIN)/python -m tests.operators_own

durations: setup policies  ## `make test`, and keep what each file took; wants an idle machine
	$(BIN)/pytest $(PARALLEL) --soak=turn --record-durations="make test"

soak: setup policies  ## all that takes hours: every fault, change class, runbook page, many examples
	$(BIN)/pytest $(PARALLEL) --soak=all tests/faults
	$(BIN)/python -m tests.faults
	$(BIN)/pytest $(PARALLEL) -m soak --ignore tests/faults
	$(BIN)/pytest $(PARALLEL) -m "not rehearsal and not soak" --hypothesis-profile=soak
	$(BIN)/python -m tests.mutants

mutants: setup  ## make mistakes on purpose and see whether unit tests notice: others with each commit
	$(BIN)/python -m tests.mutants

check: setup  ## format, lint, types, import directions, generated files, prose, shell scripts, workflows
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy .
	$(BIN)/lint-imports
	$(BIN)/python -m daskfleet.settings.schema --check
	$(BIN)/python -m release.commands --check
	$(BIN)/python -m release.policies --check
	$(BIN)/python -m release.prose
	$(BIN)/python -m manifests.dashboards --check
	$(BIN)/shellcheck $(shell git grep -lE '^#!.*\b(ba)?sh' -- ':!*.py' ':!*.md')
	$(BIN)/zizmor --offline --quiet .github
	"$$($(BIN)/python -m rehearsal.toolchain actionlint --path)/actionlint" .github/workflows/*.yml template/.github/workflows/*.yml

toolchain: setup  ## the rehearsal's binaries, in the user's cache: minutes the first time
	$(BIN)/python -m rehearsal.toolchain

policies: policies/.venv/.installed  ## the policy pack's own environment, once: `pulumi preview --policy-pack policies`

preview: setup  ## what `pulumi up` would do on the running rehearsal
	eval "$$($(BIN)/daskfleet rehearse shell)" && pulumi preview --diff

bench: setup  ## measure previews, planning and the rehearsal; bench/README.md says how
	$(BIN)/python -m bench

# Sphinx has an environment of its own, because nothing else here needs it. It reads everything each
# time: of a page that is as it was, it would not repeat what it warned of.
docs: docs/.venv/.installed  ## build the site of the pages into .site/html; a link or anchor that leads nowhere fails
	PYTHONPATH=. docs/.venv/bin/sphinx-build --quiet --fresh-env --fail-on-warning --nitpicky --jobs=auto --conf-dir=release/site \
		--doctree-dir=$(SITE)/doctrees . $(SITE)/html

site: docs/.venv/.installed  ## the same, with the pages of every released version below it
	docs/.venv/bin/python -m release.site.versions $(SITE)/html

schema: setup  ## write the JSON schema of stack files and the pages of settings, commands and policies anew
	$(BIN)/python -m daskfleet.settings.schema
	$(BIN)/python -m release.commands
	$(BIN)/python -m release.policies

samples: setup  ## write the sample comments of tests/daskfleet/platform/review/samples anew, and what a browser draws
	$(BIN)/python -m tests.daskfleet.platform.review.samples
	$(BIN)/python -m tests.pictures

pictures: setup  ## make every picture of the pages anew, those of a rehearsal, too
	$(BIN)/python -m tests.pictures --rehearsal

lock: setup  ## write requirements*.txt anew after a pin in requirements*.in has moved
	$(LOCK) requirements-dev.in --output-file=requirements-dev.txt
	$(LOCK) requirements-rehearsal.in --constraints=requirements-dev.txt --output-file=requirements-rehearsal.txt
	$(LOCK) requirements.in --constraints=requirements-dev.txt --output-file=requirements.txt
	$(LOCK) policies/requirements.in --output-file=policies/requirements.txt
	$(LOCK) docs/requirements.in --output-file=docs/requirements.txt

# The time of the commit in place of now: the same commit gives the same bytes.
dist sbom: export SOURCE_DATE_EPOCH = $(shell git log -1 --format=%ct)

dist: setup  ## build wheel and sdist into dist/
	$(BIN)/python -m hatchling build --directory dist

sbom: setup  ## write the list of a release's parts into dist/, as CycloneDX
	$(BIN)/python -m release.sbom dist

clean: down  ## also forget the virtual environment; the toolchain cache stays
	rm -rf .venv policies/.venv docs/.venv .rehearsal .site

setup: .venv/.installed

.venv/.installed: pyproject.toml requirements-dev.txt
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; v >= (3, 11) or sys.exit(f"daskfleet needs Python 3.11 or newer, this is {v[0]}.{v[1]}: make PYTHON=python3.12 ...")'
	@echo "Installing Python packages into .venv (1-2 minutes once) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

policies/.venv/.installed: policies/requirements.txt
	@echo "Installing the policy pack's Python packages into policies/.venv (half a minute once) ..."
	@test -x policies/.venv/bin/python || $(PYTHON) -m venv policies/.venv
	@policies/.venv/bin/pip install --quiet --disable-pip-version-check --require-hashes -r policies/requirements.txt
	@touch $@

docs/.venv/.installed: docs/requirements.txt
	@echo "Installing the site's Python packages into docs/.venv (a quarter of a minute once) ..."
	@test -x docs/.venv/bin/python || $(PYTHON) -m venv docs/.venv
	@docs/.venv/bin/pip install --quiet --disable-pip-version-check --require-hashes -r docs/requirements.txt
	@touch $@
