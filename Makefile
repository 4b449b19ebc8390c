# Everything runs in .venv, which `setup` makes once and again when pyproject.toml changes. Spark 4.1 is
# the newest that both Delta and Iceberg have releases for; PYSPARK='pyspark~=4.2.0' for another.
PYTHON ?= python3.11
PYSPARK ?= pyspark~=4.1.0
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# Spark's Python workers, and its local address where no executor is elsewhere (MASTER=spark://...); both flags make a
# JVM on small data start sooner.
export PYSPARK_PYTHON := $(CURDIR)/$(BIN)/python
ifeq ($(MASTER:local%=),)
export SPARK_LOCAL_IP ?= 127.0.0.1
endif
export SPARK_LAUNCHER_OPTS ?= -XX:TieredStopAtLevel=1 -XX:+UseSerialGC

DBT := $(BIN)/dbt --quiet --no-version-check --no-send-anonymous-usage-stats

# Of their own: Spark 4.2, which Delta has a release for and Iceberg has not; dbt-core 1.12; the lower end of each
# bound in pyproject.toml.
VENV_4_2 := .venv-4.2
VENV_DBT_1_12 := .venv-dbt-1.12
VENV_OLDEST := .venv-oldest
# What tells most of a version in a few minutes: both kinds of models, built and refreshed, with late rows, kills,
# changes, questions; VERSION_TESTS=tests for everything.
VERSION_TESTS ?= tests/readme tests/package/test_second_project.py tests/refresh tests/windows/test_vectors.py
PYTEST = $(BIN)/pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder

.PHONY: help setup java demo tour test test-all test-4.2 test-versions test-dbt-1.12 test-oldest soak bench scale lint lint-sql clean

help:
	@echo "make demo      visits from page views that arrive late, in a model of plain SQL; FORMAT=delta;"
	@echo "               EVENTS=file.parquet for your own rows (key, event_time, arrival_seq)"
	@echo "               MASTER=spark://host:7077 for a cluster"
	@echo "make tour      a model for each type of window, and a page about one; FORMAT=delta"
	@echo "make test      the tests on Iceberg, by turns those that take minutes, and a sample on Delta;"
	@echo "               SHARE=1 for all of them; PYTEST_ARGS=tests/refresh for some"
	@echo "make test-all  all tests, long ones too, on Iceberg, on Delta, and on Delta with Spark 4.2"
	@echo "make test-versions  some tests with dbt-core 1.12, and with the oldest of everything; VERSION_TESTS=tests for all"
	@echo "make soak      runs that are killed at random instants; KILLS=200, SEED="
	@echo "make bench     ours beside the alternatives; ROWS=, REPEATS=, CASES=, FORMAT= (benchmarks/README.md)"
	@echo "make scale     builds and refreshes on a cluster of this machine; WORKERS=, SCALE=, SKEW=--skew"
	@echo "make lint      style, types, SQL, versions, macro docs and calls, layers"
	@echo "make setup     $(VENV), which the others make by themselves"
	@echo "make clean     removes what these commands made, but for $(VENV) and those beside it"

setup: java $(READY)

java:
	@scripts/check_java.sh

$(READY): pyproject.toml requirements/constraints.txt | java
	@command -v $(PYTHON) >/dev/null || { \
	    echo "$(PYTHON) is needed and not on the PATH: install Python 3.11, or name yours: make PYTHON=python3.12"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint requirements/constraints.txt --editable '.[dev]' '$(PYSPARK)'
	@touch $@

demo: setup
	@$(BIN)/python scripts/demo.py

tour: setup
	@$(BIN)/python scripts/tour.py

# One in twelve of the files that run dbt, drawn anew each time: EVENT_WINDOWS_SEED=, which is printed, repeats a run.
# SHARE=1 for all of them; what PYTEST_ARGS asks for is run whole.
SHARE ?= $(if $(PYTEST_ARGS),1,0.08)

# A sample again as users run it: on the other format, with code that Spark makes and plans that it adapts. It is short,
# and a second session would cost more than it saves. Of the tests that PYTEST_ARGS asks for none may be in it: pytest
# ends with 5 then. Where all are asked for, that says that none has the mark any more.
OTHER_FORMAT = $(if $(filter delta,$(EVENT_WINDOWS_TEST_FORMAT)),iceberg,delta)
test: setup
	EVENT_WINDOWS_TEST_SHARE=$(SHARE) EVENT_WINDOWS_TEST_SETTINGS=small $(PYTEST) -m "not slow" $(PYTEST_ARGS)
	EVENT_WINDOWS_TEST_FORMAT=$(OTHER_FORMAT) $(PYTEST) -m "sample and not slow" $(PYTEST_ARGS) \
	    $(if $(PYTEST_ARGS),|| [ $$? = 5 ])

# Each goes on where the one before failed, so that one command tells all that is wrong.
test-all: setup
	@failed=; \
	EVENT_WINDOWS_TEST_FORMAT=iceberg $(PYTEST) $(PYTEST_ARGS) || failed="$$failed Iceberg,"; \
	EVENT_WINDOWS_TEST_FORMAT=delta $(PYTEST) $(PYTEST_ARGS) || failed="$$failed Delta,"; \
	$(MAKE) --no-print-directory test-4.2 || failed="$$failed Delta on Spark 4.2,"; \
	if [ -n "$$failed" ]; then echo "Tests failed on:$${failed%,}"; exit 1; fi

test-4.2:
	@$(MAKE) --no-print-directory setup VENV=$(VENV_4_2) PYSPARK='pyspark~=4.2.0'
	EVENT_WINDOWS_TEST_FORMAT=delta PYSPARK_PYTHON=$(CURDIR)/$(VENV_4_2)/bin/python \
	    $(VENV_4_2)/bin/pytest --numprocesses 2 --dist loadfile --no-loadscope-reorder $(PYTEST_ARGS)

test-versions:
	@failed=; for version in dbt-1.12 oldest; do \
	    $(MAKE) --no-print-directory test-$$version || failed="$$failed $$version,"; \
	done; if [ -n "$$failed" ]; then echo "Tests failed with:$${failed%,}"; exit 1; fi

# dbt-core 1.12 asks for a parser that is fetched from outside the package index when it is built, and that no run needs.
test-dbt-1.12: java $(VENV_DBT_1_12)/.installed
	@$(MAKE) --no-print-directory test-with VENV=$(VENV_DBT_1_12)

$(VENV_DBT_1_12)/.installed: pyproject.toml requirements/dbt-1.12.txt
	@test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet -r requirements/dbt-1.12.txt -r requirements/tests.txt '$(PYSPARK)'
	$(@D)/bin/python -m pip install --quiet --no-deps 'dbt-core~=1.12.0' 'dbt-spark~=1.11.0' --editable .
	@touch $@

test-oldest: java $(VENV_OLDEST)/.installed
	@$(MAKE) --no-print-directory test-with VENV=$(VENV_OLDEST)

$(VENV_OLDEST)/.installed: pyproject.toml requirements/oldest.txt
	@test -x $(@D)/bin/python || $(PYTHON) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet -r requirements/oldest.txt --editable .
	@touch $@

# In the environment $(VENV), as it is.
.PHONY: test-with
test-with:
	EVENT_WINDOWS_TEST_SETTINGS=small PYSPARK_PYTHON=$(CURDIR)/$(BIN)/python $(PYTEST) -m "not slow" $(VERSION_TESTS) $(PYTEST_ARGS)

soak: setup
	EVENT_WINDOWS_TEST_SETTINGS=small $(BIN)/python -m tests.protocol.soak --kills $(or $(KILLS),200) $(if $(SEED),--seed $(SEED))

# A process each: a session has one format.
bench: setup
	@failed=0; for format in $(or $(FORMAT),iceberg delta); do \
	    EVENT_WINDOWS_TEST_FORMAT=$$format $(BIN)/python -m benchmarks.bench || failed=1; \
	done; exit $$failed

scale: setup
	$(BIN)/python -m benchmarks.scale $(if $(WORKERS),--workers $(WORKERS)) $(if $(SCALE),--rows $(SCALE)) $(SKEW)

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy udfs scripts benchmarks
	$(BIN)/python scripts/check_versions.py
	$(BIN)/python scripts/check_macro_docs.py
	$(BIN)/python scripts/check_macro_calls.py
	$(BIN)/python scripts/check_layers.py
	$(BIN)/python scripts/check_columns.py
	@$(MAKE) --no-print-directory lint-sql

# sqlfluff reads what dbt compiled: the macros themselves are Jinja that makes SQL. Tables of a demo
# that ran here are out of sight, so that what is compiled does not depend on them.
lint-sql: setup
	@rm -rf target/compiled target/lint && mkdir -p target/lint && cp profiles.example.yml target/lint/profiles.yml
	EVENT_WINDOWS_SPARK_DIR=target/lint $(DBT) compile --profiles-dir target/lint --no-populate-cache \
	    --select resource_type:model --indirect-selection empty \
	    --vars '{event_windows__demo: true, event_windows__demo_table: demo_events}'
	$(BIN)/sqlfluff lint target/compiled

clean:
	rm -rf .spark target logs dbt_packages build spark-warehouse metastore_db derby.log .pytest_cache .mypy_cache .ruff_cache .hypothesis
