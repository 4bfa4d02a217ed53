# The few commands that this project has. `make rehearse` is the one to begin with.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: rehearse down test soak check policies preview bench clean lock schema samples setup

rehearse: setup  ## bring the rehearsal fleet up on this machine and check it
	./daskfleet rehearse up

down: setup  ## end the rehearsal and delete what it left
	./daskfleet rehearse down

test: setup policies  ## every test but those of `make soak`, the rehearsal end to end among them
	$(BIN)/pytest

soak: setup policies  ## what takes an hour: the whole fault catalogue, and all else that is marked soak
	$(BIN)/pytest -m "soak or not soak" tests/faults
	$(BIN)/python -m tests.faults
	$(BIN)/pytest -m soak --ignore tests/faults || test $$? -eq 5  # 5: there is nothing else

check: setup  ## format, lint, types, import directions, schema, shell scripts, workflows
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy .
	$(BIN)/lint-imports
	$(BIN)/python -m settings.schema --check
	$(BIN)/python -m dashboards --check
	$(BIN)/shellcheck $(shell git grep -lE '^#!.*\b(ba)?sh' -- ':!*.py' ':!*.md')
	$(BIN)/zizmor --offline --quiet .github
	"$$($(BIN)/python -m rehearsal.toolchain actionlint --path)/actionlint"

policies: policies/.venv/.installed  ## the policy pack's own environment, once: `pulumi preview --policy-pack policies`

preview: setup  ## what `pulumi up` would do on the running rehearsal
	eval "$$(./daskfleet rehearse shell)" && pulumi preview --diff

bench: setup  ## measure previews, planning and the rehearsal; bench/README.md says how
	$(BIN)/python -m bench

schema: setup  ## write the JSON schema of stack files anew
	$(BIN)/python -m settings.schema

samples: setup  ## write the sample comments of tests/review/samples and docs/report-*.png anew
	$(BIN)/python -m tests.review.samples
	$(BIN)/python -m tests.report.samples

lock:  ## renew constraints.txt after a pin in requirements*.txt has moved
	: > constraints.txt
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/pip install --quiet -r requirements-dev.txt
	.venv-lock/bin/pip freeze > constraints.txt
	rm -rf .venv-lock
	: > policies/constraints.txt
	$(PYTHON) -m venv .venv-lock
	.venv-lock/bin/pip install --quiet -r policies/requirements.txt
	.venv-lock/bin/pip freeze > policies/constraints.txt
	rm -rf .venv-lock

clean: down  ## also forget the virtual environment; the toolchain cache stays
	rm -rf .venv policies/.venv .rehearsal

setup: .venv/.installed

.venv/.installed: requirements.txt requirements-rehearsal.txt requirements-dev.txt constraints.txt
	@$(PYTHON) -c 'import sys; v = sys.version_info[:2]; v >= (3, 11) or sys.exit(f"daskfleet needs Python 3.11 or newer, this is {v[0]}.{v[1]}: make PYTHON=python3.12 ...")'
	@echo "Installing Python packages into .venv (1-2 minutes once) ..."
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@

policies/.venv/.installed: policies/requirements.txt policies/constraints.txt
	@echo "Installing the policy pack's Python packages into policies/.venv (half a minute once) ..."
	@test -x policies/.venv/bin/python || $(PYTHON) -m venv policies/.venv
	@policies/.venv/bin/pip install --quiet --disable-pip-version-check -r policies/requirements.txt
	@touch $@
